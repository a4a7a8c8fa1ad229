/**
 * The text of a tool call with `{}` in place of `params.arguments`. Only brackets and strings are
 * read, because parsing refused arguments could block the event loop. undefined: nothing to
 * replace.
 */
export function withoutArguments(text: string): string | undefined {
  // The last string read at depths 1 and 2. Before a bracket, that is the key of the object or
  // array.
  const lastStrings = ['', '']
  let depth = 0
  let start: number | undefined
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      if (depth === 1 || depth === 2) lastStrings[depth - 1] = text.slice(at + 1, end)
      at = end
    } else if (char === '{' || char === '[') {
      if (depth === 2 && lastStrings[0] === 'params' && lastStrings[1] === 'arguments') start ??= at
      depth++
    } else if (char === '}' || char === ']') {
      depth--
      if (depth === 2 && start !== undefined) return `${text.slice(0, start)}{}${text.slice(at + 1)}`
    }
  }
  return undefined
}

/** The position of the closing quote. */
function endOfString(text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}
