import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createMailer } from './mail.ts'

const open = new Set<{ close(): void }>()
afterEach(() => {
  for (const one of open) one.close()
  open.clear()
})

/** A mail server that sends these lines and then stops responding. */
async function startSilentServer(answers: string[]): Promise<string> {
  const server = createServer((socket: Socket) => {
    open.add({ close: () => socket.destroy() })
    const left = [...answers]
    const sendNext = () => {
      const line = left.shift()
      if (line) socket.write(`${line}\r\n`)
    }
    sendNext()
    socket.on('data', sendNext).on('error', () => undefined)
  })
  open.add({ close: () => server.close() })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['never sends a greeting', []],
  ['stops responding after its greeting', ['220 mail.test']],
  ['stops responding during the mail', ['220 mail.test', '250 ok', '250 ok', '250 ok', '354 go on']],
])('sending fails after the timeout if a server %s', async (_, answers) => {
  const send = createMailer(await startSilentServer(answers), 'handrail@example.com', 300)
  const began = performance.now()
  await expect(send({ to: 'mara@example.com', content: { subject: 'Hello', blocks: [] } })).rejects.toThrow()
  expect(performance.now() - began).toBeLessThan(30_000)
})
