/** Faults in a file for `countersign apply` are reported with line and column, and nothing of the file is applied. */
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type CommandLine, commandLine, declarable } from './program.ts'

let cli: CommandLine
beforeAll(async () => {
  cli = await commandLine(inject('cluster'))
})
afterAll(() => cli.close())

describe('a fault is reported with line and column, and nothing is applied', () => {
  test.each<[string, string, string]>([
    ['an unknown key', 'roles:\n  - name: x\n    permisions: {}\n', '3:5: permisions is not a known key'],
    ['an unknown section', 'roles: []\nwebhooks: []\n', '2:1: webhooks is not a known key'],
    [
      'a wrong kind of value',
      'resources:\n  - indicator: https://a.example\n    name: 4\n',
      '3:5: name must be string',
    ],
    ['a missing field', 'resources:\n  - name: A\n', '2:5: resources[0] lacks indicator'],
    ['invalid YAML', 'roles:\n  - name: [\n', ':'],
    ['a duplicate key', 'roles: []\nroles: []\n', '2:1: Map keys must be unique'],
    [
      'a dangling permission',
      'resources: [{ indicator: "https://a.example", name: A }]\nroles:\n  - name: x\n    permissions:\n      https://a.example: [read]\n',
      '5:27: https://a.example has no permission read',
    ],
    [
      'a dangling resource',
      'roles:\n  - name: x\n    permissions:\n      https://b.example: [read]\n',
      '4:7: there is no resource https://b.example',
    ],
    [
      'a dangling role',
      'applications:\n  - name: x\n    type: MachineToMachine\n    roles:\n      - nobody\n',
      '5:9: there is no role nobody',
    ],
    [
      'a dangling organization permission',
      'organizationTemplate:\n  roles:\n    - name: x\n      permissions: [a]\n',
      '4:21: there is no organization permission a',
    ],
    ['a duplicate name', 'roles:\n  - name: x\n  - name: x\n', '3:5: x is declared twice'],
    [
      'two defaults',
      'resources:\n  - { indicator: "https://a.example", name: A, isDefault: true }\n  - { indicator: "https://b.example", name: B, isDefault: true }\n',
      '3:48: another resource is already declared',
    ],
    [
      'a role of the wrong type',
      'applications:\n  - name: x\n    type: SPA\n    roles: [Management API access]\n',
      '4:5: This is not available for applications of this type.',
    ],
    [
      'the Management API in a role of users',
      'roles:\n  - name: x\n    permissions: { management-api: [all] }\n',
      '2:5: ',
    ],
    [
      'the Management API itself',
      'resources:\n  - name: x\n    indicator: https://auth.example/api\n',
      '3:5: this is the Management API',
    ],
    [
      'an invalid redirect URI',
      'applications:\n  - name: x\n    type: SPA\n    oidcClientMetadata: { redirectUris: ["javascript:alert(1)"] }\n',
      '2:5: ',
    ],
    [
      'a wildcard that nothing allows',
      'applications:\n  - name: x\n    type: SPA\n    oidcClientMetadata: { redirectUris: ["https://*.a.example/cb"] }\n',
      '2:5: redirectUris[0] has a wildcard (https://*.a.example/cb), which is allowed only while dangerously',
    ],
    [
      'another type',
      'applications:\n  - name: Management API client\n    type: SPA\n',
      '3:5: the application exists with the type MachineToMachine',
    ],
    [
      'a variable that is not set',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes it
      'connectors:\n  - connectorId: simple-mail-transfer-protocol\n    config: { host: "${NOBODY_SET_THIS}", port: 1, fromEmail: a@b.de }\n',
      '3:21: the variable NOBODY_SET_THIS is not set',
    ],
    [
      'a variable with a name that every object has',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: this is how the file writes it
      'connectors:\n  - connectorId: simple-mail-transfer-protocol\n    config: { host: "${constructor}", port: 1, fromEmail: a@b.de }\n',
      '3:21: the variable constructor is not set',
    ],
    [
      'an unknown kind of connector',
      'connectors:\n  - connectorId: pigeon\n    config: { host: a, port: 1, fromEmail: a@b.de }\n',
      '2:5: there is no kind of connector pigeon',
    ],
    [
      'a configuration that its kind of connector refuses',
      'connectors:\n  - connectorId: http-sms\n    config: { endpoint: "https://a.example", port: 1 }\n',
      '3:46: port is not a known key',
    ],
    [
      'inconsistent settings',
      'signInExperience:\n  signUp: { identifiers: [email], password: true, verify: false }\n',
      '1:1: ',
    ],
    [
      '__proto__',
      'applications:\n  - name: x\n    type: SPA\n    customData: { __proto__: { a: 1 } }\n',
      '4:19: __proto__ is not a known key',
    ],
    ['a NUL', 'roles:\n  - name: "a\\0b"\n', '2:11: '],
    [
      'a bomb',
      `a: &a [x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
        .split('')
        .map((name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefg'[index]}`).join(', ')}]`)
        .join('\n')}\n`,
      ': Excessive alias count',
    ],
    ['nothing', '# nothing\n', 'declares nothing'],
    ['a list', '- roles\n', '1:1: the file must be object'],
  ])('%s', async (_, fault, expected) => {
    const before = await declarable(cli)
    const { status, err, out } = await cli.run(['apply', '-f', '-'], { input: fault })
    expect(err).toContain(expected)
    expect(err).toMatch(/^standard input/)
    expect(err).not.toMatch(/\n {4}at /)
    expect({ status, out }).toEqual({ status: 1, out: '' })
    expect(await declarable(cli)).toEqual(before)
  })
})
