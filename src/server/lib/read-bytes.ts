/** The body of a request, or undefined if it is longer than `most`: whatever comes, no more than that is held. */
export async function readBytes(request: Request, most: number): Promise<Uint8Array | undefined> {
  const announced = request.headers.get('content-length')
  // Node cuts a body off at the length that was announced, so this one can be read in one go.
  if (announced !== null)
    return Number(announced) > most ? undefined : new Uint8Array(await request.arrayBuffer())
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of (request.body ?? []) as unknown as AsyncIterable<Uint8Array>) {
    size += chunk.byteLength
    if (size > most) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** undefined: it is not valid UTF-8. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}
