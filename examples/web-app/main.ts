/** Runs the application: `npx node examples/web-app/main.ts CLIENT_ID CLIENT_SECRET`. */
import { createApp } from './app.ts'

const [clientId, clientSecret] = process.argv.slice(2)
const issuer = process.env.ISSUER ?? 'http://localhost:3001/oidc'
if (!clientId || !clientSecret) {
  console.error('Usage: node main.ts CLIENT_ID CLIENT_SECRET')
  process.exit(1)
}
const port = Number(process.env.PORT ?? 4000)
const url = `http://localhost:${port}`
const app = await createApp({ issuer, clientId, clientSecret, url })
app.listen(port, () => console.log(`Open ${url}`))
