/** Reads a QR code that the server drew. */
import decodeQR from 'qr/decode.js'

/** The squares of a QR code, drawn large enough to be read. */
const pixelsOf = (svg: string) => {
  const scale = 4
  const size = Number(/viewBox="0 0 (\d+) /.exec(svg)?.[1]) * scale
  const data = new Uint8Array(size * size * 4).fill(255)
  let [x, y] = [0, 0]
  const path = /stroke="#000" d="([^"]*)"/.exec(svg)?.[1] ?? ''
  for (const [, command, dx, dy, length] of path.matchAll(/([Mm])(-?\d+) (-?[\d.]+)h(\d+)/g)) {
    // a line runs along the middle of its squares
    ;[x, y] = command === 'M' ? [Number(dx), Number(dy) - 0.5] : [x + Number(dx), y + Number(dy)]
    for (let row = y * scale; row < (y + 1) * scale; row += 1)
      for (let column = x * scale; column < (x + Number(length)) * scale; column += 1)
        data.fill(0, (row * size + column) * 4, (row * size + column) * 4 + 3)
    x += Number(length)
  }
  return { width: size, height: size, data }
}

/** The text of the code. Throws when it cannot be read. */
export const readQrCode = (svg: string): string => decodeQR(pixelsOf(svg))
