import { createLocalJWKSet, type JSONWebKeySet } from 'jose'
import { misconfigured } from '../errors/misconfigured.ts'
import type { KeySource } from './key-source.ts'

/**
 * Keys passed by the caller, as a JSON Web Key Set (RFC 7517 §5) of public keys. Nothing is fetched, so a rotation of
 * the issuer's keys needs a restart with the new set.
 */
export function localKeys(jwks: JSONWebKeySet): KeySource {
  const source = keySet(jwks)
  if (jwks.keys.some((key) => 'd' in key || 'k' in key || 'priv' in key)) {
    throw misconfigured('jwks must contain public keys only')
  }
  return source
}

function keySet(jwks: JSONWebKeySet): KeySource {
  try {
    return createLocalJWKSet(jwks)
  } catch (cause) {
    throw misconfigured('jwks must be a JSON Web Key Set', cause)
  }
}
