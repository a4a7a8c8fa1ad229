import { type AddressInfo, createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createMailer } from './mail.ts'

const open = new Set<{ close(): void }>()
afterEach(() => {
  for (const one of open) one.close()
  open.clear()
})

/** A mail server that answers so many lines and then says nothing more. */
async function startSilence(answers: string[]): Promise<string> {
  const server = createServer((socket: Socket) => {
    open.add({ close: () => socket.destroy() })
    const left = [...answers]
    const say = () => {
      const line = left.shift()
      if (line) socket.write(`${line}\r\n`)
    }
    say()
    socket.on('data', say).on('error', () => undefined)
  })
  open.add({ close: () => server.close() })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test.each([
  ['never greets', []],
  ['falls silent after its greeting', ['220 mail.test']],
  ['falls silent over the mail', ['220 mail.test', '250 ok', '250 ok', '250 ok', '354 go on']],
])('a server that %s is left when the time is up', async (_, answers) => {
  const send = createMailer(await startSilence(answers), 'handrail@example.com', 300)
  const began = performance.now()
  await expect(send({ to: 'mara@example.com', subject: 'Hello', text: 'Hello' })).rejects.toThrow()
  expect(performance.now() - began).toBeLessThan(3_000)
})
