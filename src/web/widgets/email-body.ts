import { type JsonObject, own } from '../../contract/forms/json.ts'

/**
 * `fields` are the names of the fields that `html` and `text` come from. If there is no `html`, `text`
 * is the body.
 */
type Body = { html?: string; text: string; fields: string[] }

/** The body of an email. Undefined if the email has no body, or if the body is not a text. */
export function bodyOf(value: JsonObject): Body | undefined {
  const html = own(value, 'html')
  const text = own(value, 'text')
  const body = own(value, 'body')
  const plainText = typeof text === 'string' ? text : typeof body === 'string' ? body : ''
  const plainField = typeof text === 'string' ? ['text'] : typeof body === 'string' ? ['body'] : []
  if (typeof html === 'string') return { html, text: plainText, fields: ['html', ...plainField] }
  if (plainField.length === 0) return undefined
  return looksLikeHtml(plainText)
    ? { html: plainText, text: '', fields: plainField }
    : { text: plainText, fields: plainField }
}

function looksLikeHtml(text: string): boolean {
  return /^\s*<(!doctype|html|body|div|p|table|span|h[1-6])\b/i.test(text)
}
