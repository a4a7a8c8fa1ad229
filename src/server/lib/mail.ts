import { createTransport } from 'nodemailer'
import { type MailContent, mailText } from './mail-content.ts'
import { mailHtml } from './mail-html.ts'

export type Mail = {
  to: string
  content: MailContent
  /**
   * The same for each attempt, so that mail servers recognize a repeated message. Without brackets,
   * like `threadId`.
   */
  messageId?: string
  /** All emails of a thread refer to this id, which belongs to no message. */
  threadId?: string
  /** A POST to it unsubscribes the person (RFC 8058). A GET changes nothing. */
  unsubscribeUrl?: string
  isUrgent?: boolean
}

// The same timeout as for a callback. With nodemailer's defaults, an unresponsive server blocks a
// worker for ten minutes.
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
    const { to, content, messageId, threadId, isUrgent } = mail
    await transport.sendMail({
      to,
      subject: content.subject,
      text: mailText(content),
      html: mailHtml(content),
      headers: headersOf(mail),
      ...(messageId && { messageId: `<${messageId}>` }),
      ...(threadId && { inReplyTo: `<${threadId}>`, references: `<${threadId}>` }),
      ...(isUrgent && { priority: 'high' as const }),
    })
  }
}

/** Auto-Submitted keeps out-of-office programs from replying (RFC 3834). */
function headersOf({ unsubscribeUrl }: Mail): Record<string, string> {
  return {
    'Auto-Submitted': 'auto-generated',
    ...(unsubscribeUrl && {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    }),
  }
}
