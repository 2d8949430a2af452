/** `countersign openapi`: the OpenAPI document of the Management and Experience APIs. */
import { Command } from 'commander'
import { readConfiguration } from '../../configuration.ts'
import { VERSION } from '../../kernel/version.ts'

export const openapiCommand = (): Command =>
  new Command('openapi')
    .description('Print the OpenAPI 3.1 document of the Management and Experience APIs.')
    .action(async () => {
      const { ACCOUNT_ROUTES, API_ROUTES, EXPERIENCE_ROUTES } = await import('@countersign/contract/api.ts')
      const { openapi } = await import('@countersign/contract/openapi.ts')
      const { baseUrl } = readConfiguration(process.env)
      console.log(
        JSON.stringify(
          openapi([...API_ROUTES, ...EXPERIENCE_ROUTES, ...ACCOUNT_ROUTES], { baseUrl, version: VERSION }),
          null,
          2,
        ),
      )
    })
