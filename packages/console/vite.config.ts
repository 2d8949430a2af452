/** How the console is built: to `dist`, served at /console. In development the server at COUNTERSIGN (localhost:3001) answers the rest. */
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { dataFiles } from './build/data-files.ts'
import { firstFiles } from './build/first-files.ts'
import { slimContract } from './build/slim-contract.ts'

const server = { target: process.env.COUNTERSIGN ?? 'http://localhost:3001', changeOrigin: false }

export default defineConfig({
  base: '/console/',
  plugins: [slimContract(), dataFiles(), firstFiles(), react(), tailwindcss()],
  build: {
    target: 'es2023',
    // every asset is a file: the content security policy admits no inline one
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // of what is bundled: the packages that are published come with it
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // each with all that it imports at once: four files in place of fifty
            { name: 'start', test: /console\/src\/start\.ts$/, priority: 3 },
            { name: 'react', test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 4 },
            { name: 'frame', test: /console\/src\/main\.tsx$/, priority: 2 },
            { name: 'first-screen', test: /console\/src\/screens\/home\/home\.tsx$/, priority: 1 },
            // in place of thirty files that a screen would ask for one by one; what few screens need stays with them
            { name: 'shared', test: /console\/src\/parts\/|node_modules\//, minShareCount: 8 },
          ],
        },
      },
    },
  },
  server: { proxy: Object.fromEntries(['/api', '/oidc', '/sign-in', '/assets'].map((path) => [path, server])) },
})
