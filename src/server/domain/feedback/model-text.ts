import { z } from 'zod'
import { hasInvisible } from './sanitize.ts'

/** What a text by a language model must not contain, whatever its subject. */
const forbidden: [pattern: RegExp, message: string][] = [
  [
    /\/\/\S|\bwww\.|\]\(|!\[|\]:|\S@\S|\b(?:javascript|vbscript|data|mailto|tel|sms|file|ftp|ssh|hxxps?):(?=\S)|[([](?:\.|at|dot)[)\]]|\bdot (?:com|net|org|io)\b/iu,
    'Must not contain links or images.',
  ],
  [
    /\.\p{L}[\p{L}\p{N}-]{1,23}(?::\d{1,5})?\/|[\p{L}\p{N}-]{2,}\.(?:com|net|org|io|dev|app|ai|info|biz|xyz|site|online|cloud|link|example|test|local|onion)\b/iu,
    'Must not contain links or images.',
  ],
  [/<[\p{L}/!?|]|&(?:#\w{1,8}|\p{L}\w{1,30});/u, 'Must not contain HTML.'],
  [
    /```|~~~|\\\p{L}|`[^`\n]*[\s|;&$<>(][^`\n]*`|\b(?:curl|wget|sudo|chmod|powershell|rm -\w|(?:npm|pip) install)\b/iu,
    'Must not contain code or commands.',
  ],
  [/\b(?:begin|end)\W{0,3}data\b|\bdata block\b/i, 'Must not imitate the data block.'],
  [
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,60}\b(?:instructions?|rules|prompts?|guidelines|above|previous)\b|\bsystem prompt\b|\b(?:tool|function)[ _]?calls?\b|\[\/?INST\]|^\W*(?:system|assistant|user|human|developer|tool)\s*:/im,
    'Must not imitate messages or tool calls.',
  ],
]
/**
 * A letter outside Latin-1, ß, a combining mark or a joiner. English needs none of them, and a word
 * written with them would not be recognized by any check.
 */
const foreignLetter = /(?![a-zà-öø-ÿ])\p{L}|\p{M}|[\u200c\u200d]/iu

/**
 * A text by a language model of 20 to `max` characters. Before the checks, compatibility characters
 * such as full-width digits are replaced, so that the text is checked as people read it.
 */
export const modelTextSchema = (max: number) =>
  z
    .string()
    .max(max)
    .transform((value) => value.normalize('NFKC').trim())
    .pipe(
      z
        .string()
        .min(20)
        .max(max)
        .superRefine((value, context) => {
          const bare = value.replace(/[*_~]/g, '')
          const wrong = forbidden.find(([pattern]) => pattern.test(value) || pattern.test(bare))
          if (wrong) context.addIssue({ code: 'custom', message: wrong[1] })
        })
        .refine((value) => !hasInvisible(value), 'Must not contain invisible characters.')
        .refine((value) => !foreignLetter.test(value), 'Must be English, in Latin letters.'),
    )
