/** Encryption of XML elements by `xml-encryption`: AES under a key that RSA-OAEP carries (SECURITY R-36). */
import { promisify } from 'node:util'
import type * as XmlEncryption from 'xml-encryption'
import { lazyLibrary } from './lazy-library.ts'
import { elementsOf, parseXml, writeXml, XmlError } from './xml.ts'

const library = lazyLibrary<typeof XmlEncryption>('xml-encryption')

const XENC = 'http://www.w3.org/2001/04/xmlenc#'
const XENC11 = 'http://www.w3.org/2009/xmlenc11#'

/** Of content and of keys. CBC is what Entra ID and AD FS send; PKCS #1 v1.5 and Triple DES are not accepted. */
const ACCEPTED = [
  `${XENC11}aes256-gcm`,
  `${XENC11}aes128-gcm`,
  `${XENC}aes256-cbc`,
  `${XENC}aes128-cbc`,
  `${XENC}rsa-oaep-mgf1p`,
  `${XENC11}rsa-oaep`,
]

/**
 * Decrypts what an element such as EncryptedAssertion contains, and parses it. Throws XmlError, with one sentence for whatever is
 * wrong with key, padding or content, so that it tells nothing about the plain text. Encryption proves nothing about the sender: the
 * content needs a signature of its own.
 * @param privateKeys in PEM, tried in turn
 * @returns the text with its root element
 */
export const decryptedElement = async (
  encrypted: Element,
  privateKeys: readonly string[],
): Promise<{ text: string; element: Element }> => {
  const elements = [...elementsOf(encrypted)]
  if (elements.filter(({ localName }) => localName === 'EncryptedData').length !== 1)
    throw new XmlError('the encrypted element does not have exactly one EncryptedData')
  const methods = elements.filter(({ localName }) => localName === 'EncryptionMethod')
  if (methods.some((method) => !ACCEPTED.includes(method.getAttribute('Algorithm') ?? '')))
    throw new XmlError('the encryption algorithm is not accepted')
  const xml = writeXml(encrypted)
  for (const key of privateKeys)
    try {
      const options = { key, warnInsecureAlgorithm: false, disallowDecryptionWithInsecureAlgorithm: false }
      const text = await promisify<string>((done) => library().decrypt(xml, options, done))()
      return { text, element: parseXml(text).documentElement }
    } catch {}
  throw new XmlError('the encrypted element cannot be decrypted with the keys of this server')
}

/**
 * Encrypts an element: AES-256-GCM with a new key, which RSA-OAEP carries.
 * @param certificate of the receiver, in PEM
 * @returns an EncryptedData element
 */
export const encryptedXml = async (text: string, certificate: string): Promise<string> =>
  promisify<string>((done) =>
    library().encrypt(
      text,
      {
        rsa_pub: certificate,
        pem: certificate,
        encryptionAlgorithm: `${XENC11}aes256-gcm`,
        keyEncryptionAlgorithm: `${XENC}rsa-oaep-mgf1p`,
      },
      done,
    ),
  )()
