// Reads the dimensions of an inline image from its header. A few kilobytes of data can decode to
// gigabytes of memory, so limiting the length of the data URL is not enough.

type Size = { width: number; height: number }

// About the size of a photograph; takes 160 MB when decoded.
const maxPixels = 40_000_000

/** Whether this is an inline image whose decoded size is known and not too large. */
export function canShowImmediately(url: string): boolean {
  const size = pictureSize(url)
  return size !== undefined && size.width * size.height <= maxPixels
}

/** Undefined unless it is a PNG, JPEG, GIF or WebP with a readable header. */
export function pictureSize(dataUrl: string): Size | undefined {
  const head = /^data:image\/(?:png|jpeg|gif|webp);base64,/i.exec(dataUrl)
  if (!head) return undefined
  try {
    return sizeIn(Uint8Array.from(atob(dataUrl.slice(head[0].length)), (letter) => letter.charCodeAt(0)))
  } catch {
    return undefined
  }
}

function sizeIn(bytes: Uint8Array): Size | undefined {
  const view = new DataView(bytes.buffer)
  const text = (from: number, to: number) => String.fromCharCode(...bytes.subarray(from, to))
  if (text(1, 4) === 'PNG') return { width: view.getUint32(16), height: view.getUint32(20) }
  if (text(0, 3) === 'GIF') return { width: view.getUint16(6, true), height: view.getUint16(8, true) }
  if (view.getUint16(0) === 0xffd8) return jpegSize(view)
  return text(0, 4) === 'RIFF' && text(8, 12) === 'WEBP' ? webpSize(view, text(12, 16)) : undefined
}

/** Walks the segments to the start of frame, which has the dimensions. */
function jpegSize(view: DataView): Size | undefined {
  for (
    let offset = 2;
    offset + 9 < view.byteLength && view.getUint8(offset) === 0xff;
    offset += 2 + view.getUint16(offset + 2)
  ) {
    const marker = view.getUint8(offset + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { height: view.getUint16(offset + 5), width: view.getUint16(offset + 7) }
  }
  return undefined
}

function webpSize(view: DataView, kind: string): Size | undefined {
  if (kind === 'VP8 ') {
    return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
  }
  if (kind === 'VP8L') {
    const bits = view.getUint32(21, true)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  if (kind !== 'VP8X') return undefined
  const threeBytes = (offset: number) => view.getUint16(offset, true) + (view.getUint8(offset + 2) << 16) + 1
  return { width: threeBytes(24), height: threeBytes(27) }
}
