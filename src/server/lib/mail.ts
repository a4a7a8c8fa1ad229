import { createTransport } from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }

// As long as a callback gets. By its own default a server that says nothing holds a worker, or a drain, for ten minutes.
const longestPatience = 15_000

export function createMailer(smtpUrl: string, from: string, patienceMilliseconds = longestPatience) {
  const transport = createTransport(
    {
      url: smtpUrl,
      connectionTimeout: patienceMilliseconds,
      greetingTimeout: patienceMilliseconds,
      socketTimeout: patienceMilliseconds,
      dnsTimeout: patienceMilliseconds,
    },
    { from },
  )
  return async function sendMail(mail: Mail): Promise<void> {
    await transport.sendMail(mail)
  }
}
