/**
 * Writes a small database in MaxMind's format (version 2.0 of its specification): a binary tree over the bits of
 * addresses, and maps.
 */

type Value = string | number | { readonly [name: string]: Value }

const control = (type: number, size: number): Buffer => {
  if (size >= 29) throw new Error('longer than the tests need')
  return type <= 7 ? Buffer.of((type << 5) | size) : Buffer.of(size, type - 7)
}

const encoded = (value: Value): Buffer => {
  if (typeof value === 'string') return Buffer.concat([control(2, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const double = Buffer.alloc(8)
    double.writeDoubleBE(value)
    return Buffer.concat([control(3, 8), double])
  }
  const entries = Object.entries(value)
  return Buffer.concat([
    control(7, entries.length),
    ...entries.flatMap(([name, each]) => [encoded(name), encoded(each)]),
  ])
}

/** Whole numbers of the metadata. */
const uint = (type: 5 | 6 | 9, value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return Buffer.concat([control(type, 4), bytes])
}
const uint16 = (value: number): Buffer => Buffer.concat([control(5, 2), Buffer.of(value >> 8, value & 0xff)])

/** The location of an address. */
export const place = (country: string, city: string, latitude: number, longitude: number): Value => ({
  country: { iso_code: country },
  city: { names: { en: city } },
  location: { latitude, longitude },
})

type Node = [Node | number | undefined, Node | number | undefined]

/** The file, for IPv4. @param networks the first byte of the addresses, and their location */
export const placeFile = (networks: Readonly<Record<number, Value>>): Buffer => {
  const root: Node = [undefined, undefined]
  const data: Buffer[] = []
  let size = 0
  for (const [byte, value] of Object.entries(networks)) {
    const bits = [...Number(byte).toString(2).padStart(8, '0')].map(Number) as (0 | 1)[]
    let node = root
    for (const bit of bits.slice(0, -1)) {
      const next = node[bit]
      if (Array.isArray(next)) node = next
      else node = node[bit] = [undefined, undefined] as Node
    }
    node[bits.at(-1) ?? 0] = size
    data.push(encoded(value))
    size += data.at(-1)?.length ?? 0
  }
  const nodes: Node[] = []
  const walk = (node: Node): void => {
    nodes.push(node)
    for (const each of node) if (Array.isArray(each)) walk(each)
  }
  walk(root)
  const count = nodes.length
  const record = (each: Node | number | undefined): number[] => {
    const value = each === undefined ? count : Array.isArray(each) ? nodes.indexOf(each) : count + 16 + each
    return [value >> 16, (value >> 8) & 0xff, value & 0xff]
  }
  const fields: readonly [string, Buffer][] = [
    ['binary_format_major_version', uint16(2)],
    ['binary_format_minor_version', uint16(0)],
    ['build_epoch', uint(6, 1_790_000_000)],
    ['database_type', encoded('Test-City')],
    ['description', encoded({ en: 'test' })],
    ['ip_version', uint16(4)],
    ['languages', control(11, 0)],
    ['node_count', uint(6, count)],
    ['record_size', uint16(24)],
  ]
  return Buffer.concat([
    Buffer.from(nodes.flatMap((node) => node.flatMap(record))),
    Buffer.alloc(16),
    ...data,
    Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1'),
    control(7, fields.length),
    ...fields.flatMap(([name, value]) => [encoded(name), value]),
  ])
}
