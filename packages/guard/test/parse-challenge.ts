/** Reads one challenge with quoted attributes, strictly by the grammar of RFC 9110 §11.2 and §5.6.4. */
export function parseChallenge(header: string): { scheme: string; attributes: Record<string, string> } {
  const [, scheme = '', rest = ''] = /^([A-Za-z]+)(?: (.*))?$/.exec(header) ?? []
  const attribute = /([a-z_]+)="((?:[ !#-[\]-~]|\\[ -~])*)"(?:, |$)/y
  const attributes: Record<string, string> = {}
  while (attribute.lastIndex < rest.length) {
    const [, name = '', value = ''] = attribute.exec(rest) ?? fail(header)
    if (name in attributes) fail(header)
    attributes[name] = value.replace(/\\(.)/g, '$1')
  }
  return scheme ? { scheme, attributes } : fail(header)
}

function fail(header: string): never {
  throw new Error(`not a challenge: ${header}`)
}
