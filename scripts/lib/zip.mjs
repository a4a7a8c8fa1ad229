import { crc32 } from 'node:zlib'

// 1980-01-01, the earliest date a zip file can contain. It is fixed so that the same files give the
// same bytes.
const date = 0x21
const utf8Names = 0x800
const regularFile = 0o100644

/**
 * Returns a zip file of [name, content] pairs. Nothing is compressed, because zlib's output differs
 * by version.
 */
export function zip(files) {
  const parts = []
  const directoryEntries = []
  let offset = 0
  for (const [name, content] of files) {
    const path = Buffer.from(name)
    const shared = sharedFields(path, content)
    const header = Buffer.concat([uint32(0x04034b50), shared, path])
    parts.push(header, content)
    directoryEntries.push(
      Buffer.concat([
        ...[uint32(0x02014b50), uint16(20 | (3 << 8)), shared], // made on Unix
        ...[uint16(0), uint16(0), uint16(0), uint32(regularFile * 0x10000), uint32(offset), path],
      ]),
    )
    offset += header.length + content.length
  }
  const centralDirectory = Buffer.concat(directoryEntries)
  const count = uint16(files.length)
  const end = [
    uint32(0x06054b50),
    uint16(0),
    uint16(0),
    count,
    count,
    uint32(centralDirectory.length),
    uint32(offset),
  ]
  return Buffer.concat([...parts, centralDirectory, ...end, uint16(0)])
}

/** The fields that a file's header and its entry in the directory have in common. */
function sharedFields(path, content) {
  const stored = 0
  return Buffer.concat([
    ...[uint16(20), uint16(utf8Names), uint16(stored), uint16(0), uint16(date), uint32(crc32(content))],
    ...[uint32(content.length), uint32(content.length), uint16(path.length), uint16(0)],
  ])
}

function uint16(value) {
  const bytes = Buffer.alloc(2)
  bytes.writeUInt16LE(value)
  return bytes
}

function uint32(value) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
