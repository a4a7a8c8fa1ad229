import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type ReceivedMail, readMail } from './read-mail.ts'

/** An SMTP server on loopback that accepts mail. `reject` returns an SMTP reply for recipients to reject. */
export async function startMailServer(reject: (to: string) => string | undefined = () => undefined) {
  const mails: ReceivedMail[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    let to: string[] = []
    let raw = ''
    let inData = false
    let rest = ''
    const reply = (line: string) => socket.write(`${line}\r\n`)
    reply('220 mail.test')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('utf8')).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) {
        if (inData) {
          if (line !== '.') raw += `${line.replace(/^\.\./, '.')}\n`
          else {
            inData = false
            mails.push(readMail(to, raw))
            to = []
            raw = ''
            reply('250 accepted')
          }
        } else if (/^(EHLO|HELO|MAIL|RSET|NOOP)/i.test(line)) reply('250 ok')
        else if (/^RCPT/i.test(line)) {
          const address = /<([^>]*)>/.exec(line)?.[1] ?? ''
          const rejection = reject(address)
          if (!rejection) to.push(address)
          reply(rejection ?? '250 ok')
        } else if (/^DATA/i.test(line)) {
          inData = true
          reply('354 go on')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else reply('502 unknown')
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`,
    mails,
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
