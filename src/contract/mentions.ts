import { limits } from './limits.ts'

// @ and an email address or group:<slug>. The @ within an address does not count, because it
// follows a word.
const mention = /(?<![\w.+-])(@(?:group:[a-z0-9-]+|[^\s@]+@[a-z0-9-]+(?:\.[a-z0-9-]+)+))/gi

/** Whom a note mentions, each once, up to the limit: email addresses and group:<slug>. */
export function mentionsIn(text: string): string[] {
  const names = splitAtMentions(text)
    .filter((_, n) => n % 2 === 1)
    .map((part) => part.slice(1).toLowerCase())
  return [...new Set(names)].slice(0, limits.mentions)
}

/** Text and mentions in turn, starting with text. */
export function splitAtMentions(text: string): string[] {
  return text.split(mention)
}
