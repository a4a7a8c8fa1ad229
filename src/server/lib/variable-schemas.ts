import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { WorkspaceId } from '../../contract/ids.ts'

// Schemas that check and convert the text of an environment variable.

export function integer(min: number, max: number) {
  return z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= min && value <= max, `must be between ${min} and ${max}`)
}

export function url(...protocols: string[]) {
  return z.string().refine(
    (text) => {
      try {
        return protocols.includes(new URL(text).protocol)
      } catch {
        return false
      }
    },
    `must be a URL that starts with ${protocols.map((protocol) => `${protocol}//`).join(' or ')}`,
  )
}

// Not every libpq connection string is a WHATWG URL: postgres://user@/db?host=/socket has no host.
export const postgresUrl = () =>
  z.string().regex(/^postgres(ql)?:\/\/\S+$/, 'must start with postgres:// or postgresql://')
export const baseUrl = () =>
  url('http:', 'https:')
    .refine((text) => {
      if (!URL.canParse(text)) return true
      const { username, password, search, hash } = new URL(text)
      return [username, password, search, hash].every((part) => part === '')
    }, 'must not contain credentials, a query or a fragment')
    .transform((text) => text.replace(/\/+$/, ''))
/** Parts separated by commas. */
const list = () =>
  z.string().transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  )
export const cidrs = () =>
  list().refine(
    (parts) => parts.every((part) => ipaddr.isValidCIDR(part)),
    'must be networks such as 10.1.2.0/24, separated by commas',
  )
export const origins = () =>
  list().refine(
    (parts) => parts.every((part) => URL.canParse(part) && new URL(part).origin === part),
    'must be origins such as https://push.example.com, separated by commas',
  )
const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]']
// Not normalized, because the provider's tokens must name exactly this issuer.
export const issuer = () =>
  url('https:', 'http:').refine((text) => {
    if (!URL.canParse(text)) return true
    const { protocol, hostname, username, password, search, hash } = new URL(text)
    const isEncrypted = protocol === 'https:' || loopbackHosts.includes(hostname)
    return isEncrypted && [username, password, search, hash].every((part) => part === '')
  }, 'must be the https URL of the identity provider, without credentials, a query or a fragment')
const domain = /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)+$/
export const domains = () =>
  list().refine(
    (parts) => parts.every((part) => domain.test(part)),
    'must be domains in lower case, such as example.com, separated by commas',
  )
export const domainJoins = () =>
  list()
    .transform((parts) =>
      parts.map((part) => {
        const [workspaceId = '', ...rest] = part.split(':')
        return { workspaceId, domain: rest.join(':') }
      }),
    )
    .refine(
      (joins) =>
        joins.every(
          ({ workspaceId, domain: name }) => WorkspaceId.safeParse(workspaceId).success && domain.test(name),
        ),
      'must be <workspace id>:<domain>, such as wsp_…:example.com, separated by commas',
    )
export const secret = () => z.string().min(32, 'must be a random string of at least 32 characters')
