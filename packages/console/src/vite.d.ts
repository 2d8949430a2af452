/** What Vite adds to modules: `import.meta.env` and `import.meta.glob`. */
/// <reference types="vite/client" />
