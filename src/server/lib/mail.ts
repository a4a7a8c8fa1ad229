import { createTransport } from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }

// The same as for a callback. With nodemailer's defaults, an unresponsive server blocks a worker for ten minutes.
const defaultTimeoutMilliseconds = 15_000

export function createMailer(
  smtpUrl: string,
  from: string,
  timeoutMilliseconds = defaultTimeoutMilliseconds,
) {
  const transport = createTransport(
    {
      url: smtpUrl,
      connectionTimeout: timeoutMilliseconds,
      greetingTimeout: timeoutMilliseconds,
      socketTimeout: timeoutMilliseconds,
      dnsTimeout: timeoutMilliseconds,
    },
    { from },
  )
  return async function sendMail(mail: Mail): Promise<void> {
    await transport.sendMail(mail)
  }
}
