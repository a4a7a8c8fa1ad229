import { gzipSync } from 'node:zlib'

/**
 * Returns a gzipped tar like that of `npm pack`. Owner, mode and time are fixed, so that they
 * differ in no build.
 */
export function tarball(files) {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const bytes = Buffer.from(content)
    return [header(`package/${name}`, bytes.length), bytes, Buffer.alloc(-bytes.length & 511)]
  })
  const compressed = gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]), { level: 9 })
  compressed[9] = 255 // the operating system: unknown
  return compressed
}

/** The header of the ustar format. */
function header(name, size) {
  if (Buffer.byteLength(name) > 100) throw new Error(`The name ${name} is too long for a tar header.`)
  const block = Buffer.alloc(512)
  const octal = (value, length) => `${value.toString(8).padStart(length - 1, '0')}\0`
  block.write(name, 0)
  block.write(octal(0o644, 8), 100)
  block.write(octal(0, 8), 108)
  block.write(octal(0, 8), 116)
  block.write(octal(size, 12), 124)
  block.write(octal(Date.UTC(1985, 9, 26, 8, 15) / 1000, 12), 136) // npm's date, which every tool accepts
  block.write('        ', 148) // the checksum counts as spaces
  block.write('0', 156)
  block.write('ustar\0', 257)
  block.write('00', 263)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}
