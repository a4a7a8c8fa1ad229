import { type AddressInfo, createServer, type Socket } from 'node:net'

export type TakenMail = { to: string[]; text: string }

/** A mail server on loopback that speaks enough SMTP to take mails. `refuse` answers for a recipient it does not want. */
export async function startMailServer(refuse: (to: string) => string | undefined = () => undefined) {
  const mails: TakenMail[] = []
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    open.add(socket)
    socket.on('close', () => open.delete(socket))
    socket.on('error', () => undefined)
    let mail: TakenMail = { to: [], text: '' }
    let inData = false
    let rest = ''
    const say = (line: string) => socket.write(`${line}\r\n`)
    say('220 mail.test')
    socket.on('data', (chunk) => {
      const lines = (rest + chunk.toString('utf8')).split('\r\n')
      rest = lines.pop()!
      for (const line of lines) {
        if (inData) {
          if (line !== '.') mail.text += `${line}\n`
          else {
            inData = false
            mails.push(mail)
            mail = { to: [], text: '' }
            say('250 taken')
          }
        } else if (/^(EHLO|HELO|MAIL|RSET|NOOP)/i.test(line)) say('250 ok')
        else if (/^RCPT/i.test(line)) {
          const to = /<([^>]*)>/.exec(line)?.[1] ?? ''
          const refusal = refuse(to)
          if (!refusal) mail.to.push(to)
          say(refusal ?? '250 ok')
        } else if (/^DATA/i.test(line)) {
          inData = true
          say('354 go on')
        } else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n')
        else say('502 unknown')
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
