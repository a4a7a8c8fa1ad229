/**
 * Whether the client already has the content with this tag: If-None-Match is a list, and a proxy
 * may have weakened the tag.
 */
export function hasTag(request: Request, tag: string): boolean {
  const knownTags = request.headers.get('if-none-match')?.split(',') ?? []
  return knownTags.some((knownTag) => knownTag.trim().replace(/^W\//, '') === tag)
}
