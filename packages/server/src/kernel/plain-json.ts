/**
 * JSON that means one thing to every reader: what JSON.parse lets pass silently is refused here (a member twice in one object, any
 * depth, `__proto__`, numbers that change when they are read, characters that PostgreSQL and XML cannot hold).
 */

/** What is wrong; completes "the parameter …". */
export class NotPlainJson extends Error {}

const checkString = (text: string): void => {
  if (!text.isWellFormed() || text.includes('\0')) throw new NotPlainJson('has a string with a NUL or half a character')
}

const checkNumber = (value: number): void => {
  if (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))
    throw new NotPlainJson('has a number that is too large to be exact: write it as a string')
}

const checkValue = (value: unknown): void => {
  if (typeof value === 'string') checkString(value)
  else if (typeof value === 'number') checkNumber(value)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      checkString(name)
      if (name === '__proto__') throw new NotPlainJson('has a member __proto__')
      checkValue(member)
    }
  }
}

/** Members and nesting, which are gone once the text is parsed. @param text valid JSON */
const checkText = (text: string, deepest: number): void => {
  const objects: (Set<string> | undefined)[] = []
  for (const [token, name] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') objects.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') objects.pop()
    else if (name !== undefined) {
      const members = objects.at(-1)
      const member: string = JSON.parse(name)
      if (members?.has(member)) throw new NotPlainJson('has a member twice in one object')
      members?.add(member)
    }
    if (objects.length > deepest) throw new NotPlainJson('is nested too deeply')
  }
}

/**
 * Reads JSON whose objects have each member once, for readers that ignore what they do not know, whatever it is. Throws NotPlainJson.
 * Does not check its length: the caller has.
 * @param deepest the most objects and arrays within one another
 */
export const parseUnambiguousJson = (text: string, deepest: number): unknown => {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new NotPlainJson('is not JSON')
  }
  checkText(text, deepest)
  return value
}

/** Reads JSON that is kept and given to others. Throws as parseUnambiguousJson. @param deepest as there */
export const parsePlainJson = (text: string, deepest: number): unknown => {
  const value = parseUnambiguousJson(text, deepest)
  checkValue(value)
  return value
}
