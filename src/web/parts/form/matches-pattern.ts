// Syntax with another meaning in RE2: flags, a class that contains `]` first, POSIX classes.
const otherSyntax = /\(\?[a-z-]|\[\^?\]|\[:/i

/**
 * Whether the pattern matches anywhere in the text, as RE2 does in the service. Undefined if only
 * the service can tell.
 */
export function matchesPattern(pattern: string, text: string): boolean | undefined {
  if (otherSyntax.test(pattern)) return undefined
  try {
    // The original must be valid too: `[\s-z]` is not, but its replacement is a range.
    new RegExp(pattern, 'u')
    return new RegExp(withRe2Classes(pattern), 'u').test(text)
  } catch {
    // RE2 syntax that JavaScript cannot parse.
    return undefined
  }
}

/**
 * Replaces `\s`, which is ASCII whitespace without the vertical tab in RE2, and `.`, which excludes
 * only the line feed.
 */
function withRe2Classes(pattern: string): string {
  let isInClass = false
  return pattern.replace(/\\?./gsu, (token) => {
    if (token === '[' || token === ']') isInClass = token === '['
    if (token === '\\s') return isInClass ? '\\t\\n\\f\\r ' : '[\\t\\n\\f\\r ]'
    if (token === '\\S') return isInClass ? '\\0-\\x08\\v\\x0e-\\x1f!-\\u{10ffff}' : '[^\\t\\n\\f\\r ]'
    return token === '.' && !isInClass ? '[^\\n]' : token
  })
}
