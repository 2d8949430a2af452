/** Runs the application: `npx node examples/web-app/main.ts CLIENT_ID CLIENT_SECRET`. */
import { createApp } from './app.ts'

const [clientId, clientSecret] = process.argv.slice(2)
const issuer = process.env.ISSUER ?? 'http://localhost:3001/oidc'
if (!clientId || !clientSecret) {
  console.error('Usage: node main.ts CLIENT_ID CLIENT_SECRET')
  process.exit(1)
}
const url = 'http://localhost:4000'
const app = await createApp({ issuer, clientId, clientSecret, url })
app.listen(4000, () => console.log(`Open ${url}`))
