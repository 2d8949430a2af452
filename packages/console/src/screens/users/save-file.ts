/** Saves texts, one after the other, as a file of the browser's. */

export const saveFile = (name: string, type: string, ...texts: readonly string[]): void => {
  const address = URL.createObjectURL(new Blob([...texts], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
