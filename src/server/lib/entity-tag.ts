import { createHash } from 'node:crypto'

/** The tag of content, in quotes as in the header ETag. */
export function tagOf(content: string | Uint8Array): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/**
 * Whether the client already has the content with this tag: If-None-Match is a list, and a proxy
 * may have weakened the tag.
 */
export function hasTag(request: Request, tag: string): boolean {
  const knownTags = request.headers.get('if-none-match')?.split(',') ?? []
  return knownTags.some((knownTag) => knownTag.trim().replace(/^W\//, '') === tag)
}
