/** R-36: what the XML parser refuses before it reads, and what a signature has to be. */
import { beforeAll, describe, expect, test } from 'vitest'
import { type CertifiedKey, certificateFacts, newCertifiedKey } from '../../src/kernel/certificates.ts'
import { childrenNamed, parseXml, textOf, writeXml } from '../../src/kernel/xml.ts'
import { decryptedElement, encryptedXml } from '../../src/kernel/xml-encryption.ts'
import { signedXml, verifiedElement } from '../../src/kernel/xml-signature.ts'

describe('R-36 parsing', () => {
  const refused: [what: string, text: string, sentence: RegExp][] = [
    ['an external entity', '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', /document type/],
    ['entities of entities', '<!DOCTYPE a [<!ENTITY b "bb"><!ENTITY c "&b;&b;">]><a>&c;</a>', /document type/],
    ['a document type behind the root', '<a/><!DOCTYPE a>', /document type/],
    ['an undefined entity', '<a>&nbsp;</a>', /well-formed/],
    ['a processing instruction', '<?xml-stylesheet href="x"?><a/>', /processing instruction/],
    ['a processing instruction inside', '<a><?php x ?></a>', /processing instruction/],
    ['a second declaration', '<?xml version="1.0"?><?xml version="1.0"?><a/>', /well-formed|instruction/],
    ['a CDATA section', '<a><![CDATA[x]]></a>', /CDATA/],
    ['a comment', '<a>b<!-- c -->d</a>', /comment/],
    ['two roots', '<a/><b/>', /one root/],
    ['no element', 'text', /no element/],
    ['text behind the root', '<a/>text', /outside/],
    ['an attribute twice', '<a b="1" b="2"/>', /well-formed/],
    ['an attribute without quotes', '<a b=1/>', /well-formed/],
    ['crossed elements', '<a><b></a></b>', /not begun/],
    ['an element that does not end', '<a><b></b>', /does not end/],
    ['a tag in a tag', '<a <b/>', /tag does not end/],
    ['a prefix without a namespace', '<x:a/>', /well-formed|namespace/],
    ['an ID twice', '<a ID="x"><b ID="x"/></a>', /same ID/],
    ['an ID twice by other names', '<a ID="x"><b Id="x"/></a>', /same ID/],
    ['a NUL character', '<a>&#0;</a>', /character/],
    ['half of a surrogate pair', '<a>&#xD800;</a>', /character/],
    ['a control character', '<a>\u0001</a>', /character/],
    ['a number beyond Unicode', '<a>&#99999999;</a>', /character/],
    ['depth', '<a>'.repeat(100) + '</a>'.repeat(100), /deeper/],
    ['many elements', `<a>${'<b/>'.repeat(10_001)}</a>`, /more than 10000 elements/],
    ['many attributes', `<a ${Array.from({ length: 70 }, (_, at) => `b${at}=""`).join(' ')}/>`, /attributes/],
    [
      'many namespaces around an element',
      Array.from({ length: 50 }, (_, at) => `<a xmlns:b${at}="u" xmlns:c="u" xmlns="u${at}">`).join('') +
        '</a>'.repeat(50),
      /more than 128 namespaces/,
    ],
    ['length', `<a>${'x'.repeat(300_000)}</a>`, /longer/],
  ]
  test.each(refused)('refuses %s', (_what, text, sentence) => {
    expect(() => parseXml(text)).toThrow(sentence)
  })

  test('reads what is left, with the entities of XML itself', () => {
    const document = parseXml('\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<a b="x>y">&lt;&#65;&amp;</a>\n')
    expect(document.documentElement.getAttribute('b')).toBe('x>y')
    expect(textOf(document.documentElement)).toBe('<A&')
    expect(writeXml(document)).toContain('&lt;A&amp;')
  })

  test('removes comments where they are allowed', () => {
    const { documentElement } = parseXml('<!-- a --><a>b<!-- c -->d<e/><!-- f --></a><!-- g -->', {
      comments: 'removed',
    })
    expect(writeXml(documentElement)).toBe('<a>bd<e/></a>')
    expect(textOf(documentElement)).toBeUndefined()
  })
})

let key: CertifiedKey
let other: CertifiedKey
beforeAll(async () => {
  const [from, until] = [new Date('2026-01-01T00:00:00Z'), new Date('2027-01-01T00:00:00Z')]
  key = await newCertifiedKey('a test', from, until)
  other = await newCertifiedKey('another', from, until)
})

describe('R-36 signatures', () => {
  const plain = '<p:Response xmlns:p="urn:p" ID="_1"><p:Issuer>us</p:Issuer><p:Value>v</p:Value></p:Response>'
  const sign = () => signedXml(plain, '_1', key.privateKey, key.certificate)
  const verify = (text: string, certificates = [key.certificate]) =>
    verifiedElement(text, parseXml(text).documentElement, certificates)

  test('an element that was signed is returned as it was signed', () => {
    const root = verify(sign(), [other.certificate, key.certificate])
    expect(childrenNamed(root, 'urn:p', 'Value').map(textOf)).toEqual(['v'])
    expect(writeXml(root)).toBe(plain)
  })

  const changes: [what: string, change: (signed: string) => string][] = [
    ['another value', (signed) => signed.replace('>v<', '>w<')],
    ['no signature', () => plain],
    ['two signatures', (signed) => signed.replace(/(<ds:Signature[ >].*<\/ds:Signature>)/, '$1$1')],
    ['SHA-1', (signed) => signed.replace('2001/04/xmldsig-more#rsa-sha256', '2000/09/xmldsig#rsa-sha1')],
    ['HMAC', (signed) => signed.replace('2001/04/xmldsig-more#rsa-sha256', '2000/09/xmldsig#hmac-sha1')],
    ['a digest by SHA-1', (signed) => signed.replace('2001/04/xmlenc#sha256', '2000/09/xmldsig#sha1')],
    ['another reference', (signed) => signed.replace('URI="#_1"', 'URI=""')],
    ['canonicalization with comments', (signed) => signed.replace('xml-exc-c14n#"', 'xml-exc-c14n#WithComments"')],
    [
      'a long list of prefixes',
      (signed) =>
        signed.replace(
          /<ds:Transform (Algorithm="[^"]*xml-exc-c14n#")\/>/,
          `<ds:Transform $1><c:InclusiveNamespaces xmlns:c="u" PrefixList="${'p '.repeat(300)}"/></ds:Transform>`,
        ),
    ],
    ['an object', (signed) => signed.replace('</ds:Signature>', '<ds:Object/></ds:Signature>')],
    ['a second reference', (signed) => signed.replace(/(<ds:Reference.*<\/ds:Reference>)/, '$1$1')],
    ['an empty value', (signed) => signed.replace(/(<ds:SignatureValue>).*(<\/ds:SignatureValue>)/, '$1$2')],
  ]
  test.each(changes)('refuses %s', (_what, change) => {
    const changed = change(sign())
    expect(changed).not.toBe(sign())
    expect(() => verify(changed)).toThrow(/signature|algorithm|canonicalization|transforms/)
  })

  test('the certificate in the signature is not trusted', () => {
    expect(() => verify(sign(), [other.certificate])).toThrow(/not by a key that is trusted/)
    expect(() => verify(sign(), [])).toThrow(/not by a key that is trusted/)
  })

  test('certificates are read in PEM and in base64', () => {
    const facts = certificateFacts(key.certificate)
    const base64 = key.certificate.replaceAll(/-----.*-----|\s/g, '')
    expect(certificateFacts(base64)).toEqual(facts)
    expect(facts).toMatchObject({
      isUsable: true,
      validFrom: new Date('2026-01-01T00:00:00Z'),
      validUntil: new Date('2027-01-01T00:00:00Z'),
    })
    for (const text of ['', 'x', 'AAAA', '-----BEGIN CERTIFICATE-----']) expect(certificateFacts(text)).toBeUndefined()
  })
})

describe('R-36 encryption', () => {
  const within = (data: string) => parseXml(`<e>${data}</e>`).documentElement
  const decrypt = (data: string, ...keys: CertifiedKey[]) =>
    decryptedElement(
      within(data),
      keys.map(({ privateKey }) => privateKey),
    )

  test('an element is decrypted with any of the keys', async () => {
    const encrypted = await encryptedXml('<a>é</a>', key.certificate)
    expect(encrypted).not.toContain('<a>')
    const { element, text } = await decrypt(encrypted, other, key)
    expect(textOf(element)).toBe('é')
    expect(text).toBe('<a>é</a>')
  })

  test('what cannot be decrypted, or is no XML, is refused with one sentence', async () => {
    const sentence = 'the encrypted element cannot be decrypted with the keys of this server'
    const encrypted = await encryptedXml('<a/>', key.certificate)
    await expect(decrypt(encrypted, other)).rejects.toThrow(sentence)
    await expect(decrypt(encrypted)).rejects.toThrow(sentence)
    for (const content of ['text', '<!DOCTYPE a><a/>'])
      await expect(decrypt(await encryptedXml(content, key.certificate), key)).rejects.toThrow(sentence)
  })

  test('other algorithms and other content are refused', async () => {
    const encrypted = await encryptedXml('<a/>', key.certificate)
    await expect(decrypt(encrypted.replace('rsa-oaep-mgf1p', 'rsa-1_5'), key)).rejects.toThrow(/not accepted/)
    await expect(decrypt(encrypted + encrypted, key)).rejects.toThrow(/exactly one/)
    await expect(decrypt('<b/>', key)).rejects.toThrow(/exactly one/)
  })
})
