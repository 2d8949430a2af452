/** Runs the application: `npx node examples/single-page/main.ts CLIENT_ID`. */
import { createStaticServer } from './server.ts'

const [clientId] = process.argv.slice(2)
const issuer = process.env.ISSUER ?? 'http://localhost:3001/oidc'
if (!clientId) {
  console.error('Usage: node main.ts CLIENT_ID')
  process.exit(1)
}
createStaticServer({ issuer, clientId }).listen(4001, () => console.log('Open http://localhost:4001'))
