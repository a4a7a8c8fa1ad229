import { createTransport } from 'nodemailer'

export type Mail = { to: string; subject: string; text: string }

export function createMailer(smtpUrl: string, from: string) {
  const transport = createTransport(smtpUrl, { from })
  return async function sendMail(mail: Mail): Promise<void> {
    await transport.sendMail(mail)
  }
}
