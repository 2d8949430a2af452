/** Runs the application: `npx node examples/single-page/main.ts CLIENT_ID`. */
import { createStaticServer } from './server.ts'

const [clientId] = process.argv.slice(2)
const issuer = process.env.ISSUER ?? 'http://localhost:3001/oidc'
if (!clientId) {
  console.error('Usage: node main.ts CLIENT_ID')
  process.exit(1)
}
const port = Number(process.env.PORT ?? 4001)
createStaticServer({ issuer, clientId }).listen(port, () => console.log(`Open http://localhost:${port}`))
