import { connect } from 'node:net'

/** Sends raw bytes that no HTTP client would send. Resolves when the service closes the connection. */
export async function sendRaw(
  url: string,
  bytes: string | Buffer,
): Promise<{ status: number; text: string }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let text = ''
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1')
    })
    socket.on('error', () => resolve())
    socket.on('close', () => resolve())
    socket.write(bytes)
  })
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text }
}
