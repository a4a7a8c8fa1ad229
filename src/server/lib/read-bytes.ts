/** The body of a request, or undefined if it is longer than `max` bytes. */
export async function readBytes(request: Request, max: number): Promise<Uint8Array | undefined> {
  const announced = request.headers.get('content-length')
  // Node truncates a body at its content length, so it can be read at once.
  if (announced !== null)
    return Number(announced) > max ? undefined : new Uint8Array(await request.arrayBuffer())
  return await readStream(request.body, max)
}

/**
 * The bytes of a body, or undefined if there are more than `max`. Of a response, the decompressed
 * bytes count.
 */
export async function readStream(
  body: Request['body'] | Response['body'],
  max: number,
): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > max) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Undefined if the bytes are not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
