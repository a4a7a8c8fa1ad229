import { survivesAsDouble } from './json-text-number.ts'
import { pathOf, type Violation, Violations } from './violation.ts'

type Options = { maxDepth: number }

/**
 * Reads the text of a request body. Everything that JSON.parse would pass over in silence, and that a human would
 * then not see as it was sent, is refused here: repeated keys, numbers that change, NUL and lone surrogates.
 * One pass over the text without recursion, so that no depth and no size does harm.
 */
export function parseJsonText(text: string, options: Options): ParsedText {
  const scanner = new TextScanner(text, options.maxDepth)
  scanner.advance(text.length + 1)
  return parsed(text, scanner)
}

// About ten milliseconds.
const charactersPerTurn = 64 * 1024

/** The same for a server, which has other things to do: after every 64 KiB of text it gets a turn. */
export async function parseJsonTextInTurns(
  text: string,
  options: Options,
  nextTurn: () => Promise<unknown>,
): Promise<ParsedText> {
  const scanner = new TextScanner(text, options.maxDepth)
  let until = charactersPerTurn
  for (; !scanner.advance(until); until += charactersPerTurn) await nextTurn()
  if (text.length < charactersPerTurn) return parsed(text, scanner)
  await nextTurn()
  const result = parsed(text, scanner)
  await nextTurn()
  return result
}

type ParsedText = { value: unknown } | { violations: Violation[] }

function parsed(text: string, { violations }: TextScanner): ParsedText {
  return violations.length > 0 ? { violations } : { value: JSON.parse(text) }
}

/** What is open around the place being read: an object with its keys so far, or an array with its index. */
type Frame = { keys: Set<string>; key: string } | { keys: undefined; key: number }

const WORDS = ['true', 'false', 'null']
// Fifteen digits always survive as a double, if the power of ten is not extreme; only other numbers need a closer look.
const SURELY_EXACT = 15
const EXTREME_POWER = 250

class SyntaxProblem extends Error {}

class TextScanner {
  readonly #found = new Violations()
  readonly #frames: Frame[] = []
  readonly #text: string
  readonly #maxDepth: number
  #at = 0
  #isComplete = false

  constructor(text: string, maxDepth: number) {
    this.#text = text
    this.#maxDepth = maxDepth
  }

  get violations(): Violation[] {
    return this.#found.list
  }

  /** Reads on until a value ends at or behind that place. True when there is nothing more to read. */
  advance(until: number): boolean {
    try {
      return this.#document(until)
    } catch (problem) {
      if (!(problem instanceof SyntaxProblem)) throw problem
      // A key that was never read is no step of the way there.
      if (this.#frames.at(-1)?.key === '') this.#frames.pop()
      this.#complain(problem.message)
      return true
    }
  }

  #document(until: number): boolean {
    while (!this.#isComplete && !this.#found.isFull) {
      if (this.#at >= until) return false
      this.#space()
      const opened = this.#value()
      if (opened === 'too deep') return true
      if (opened === 'read') this.#isComplete = this.#afterValue()
    }
    if (this.#found.isFull) return true
    this.#space()
    if (this.#at < this.#text.length) this.#fail('nothing may follow the value')
    return true
  }

  /** Reads a scalar or an empty container whole, or steps into a container up to its first value. */
  #value(): 'read' | 'opened' | 'too deep' {
    const char = this.#text[this.#at]
    if (char === '{' || char === '[') return this.#open(char)
    if (char === '"') {
      for (const trouble of this.#string()) this.#complain(`The text ${trouble}`)
    } else if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) this.#number()
    else this.#word()
    return 'read'
  }

  #open(char: '{' | '['): 'read' | 'opened' | 'too deep' {
    if (this.#frames.length === this.#maxDepth) {
      this.#complain(
        `Nested more than ${this.#maxDepth} levels deep; ${this.#maxDepth} are allowed. Send a flatter value.`,
      )
      return 'too deep'
    }
    this.#at++
    this.#space()
    if (this.#text[this.#at] === (char === '{' ? '}' : ']')) {
      this.#at++
      return 'read'
    }
    if (char === '[') {
      this.#frames.push({ keys: undefined, key: 0 })
    } else {
      const frame = { keys: new Set<string>(), key: '' }
      this.#frames.push(frame)
      this.#key(frame)
    }
    return 'opened'
  }

  /** Goes on to the next value, closing what ends here. True when the outermost value has ended. */
  #afterValue(): boolean {
    for (let frame = this.#frames.at(-1); frame; frame = this.#frames.at(-1)) {
      this.#space()
      const char = this.#text[this.#at]
      const end = frame.keys ? '}' : ']'
      if (char === ',') {
        this.#at++
        if (frame.keys) {
          this.#space()
          this.#key(frame)
        } else {
          frame.key++
        }
        return false
      }
      if (char !== end) this.#fail(`"," or "${end}" is expected here`)
      this.#at++
      this.#frames.pop()
    }
    return true
  }

  #key(frame: { keys: Set<string>; key: string }): void {
    if (this.#text[this.#at] !== '"') this.#fail('a key in double quotes is expected here')
    const start = this.#at
    const troubles = this.#string()
    const raw = this.#text.slice(start, this.#at)
    // A raw NUL is reported as such; written as an escape, it lets JSON.parse decode the rest.
    frame.key = raw.includes('\\') ? JSON.parse(raw.replaceAll('\0', '\\u0000')) : raw.slice(1, -1)
    for (const trouble of troubles) this.#complain(`The key ${trouble}`)
    if (frame.keys.has(frame.key)) this.#complain('This key is there twice; send each key once.')
    frame.keys.add(frame.key)
    this.#space()
    if (this.#text[this.#at] !== ':') this.#fail('":" is expected after the key')
    this.#at++
  }

  /** Reads a text to its closing quote and tells what in it cannot be kept. */
  #string(): string[] {
    const text = this.#text
    const start = this.#at
    let nul = false
    let lone = false
    let high = false
    this.#at++
    for (;;) {
      let unit = text.charCodeAt(this.#at)
      if (unit === 0x22) break
      if (Number.isNaN(unit)) {
        this.#at = start
        this.#fail('the text that begins here has no closing quote')
      }
      if (unit === 0x5c) unit = this.#escape()
      else if (unit !== 0 && unit < 0x20)
        this.#fail('a control character must be written as an escape, such as \\n')
      else this.#at++
      if (unit === 0) nul = true
      if (high !== (unit >= 0xdc00 && unit <= 0xdfff)) lone = true
      high = unit >= 0xd800 && unit <= 0xdbff
    }
    this.#at++
    const troubles: string[] = []
    if (nul) troubles.push('holds the character NUL (\\u0000), which cannot be stored. Leave it out.')
    if (lone || high)
      troubles.push(
        'holds half of a surrogate pair, which is no character. Send the whole pair or leave it out.',
      )
    return troubles
  }

  /** The code unit an escape stands for. */
  #escape(): number {
    const letter = this.#text[this.#at + 1]
    if (letter === 'u') {
      const hex = this.#text.slice(this.#at + 2, this.#at + 6)
      if (!/^[0-9a-fA-F]{4}$/.test(hex)) this.#fail('four hexadecimal digits are expected after \\u')
      this.#at += 6
      return Number.parseInt(hex, 16)
    }
    if (letter === undefined || !'"\\/bfnrt'.includes(letter)) this.#fail('this escape is not known to JSON')
    this.#at += 2
    return 0x20
  }

  #number(): void {
    const start = this.#at
    if (this.#text[start] === '-') this.#at++
    if (this.#text[this.#at] === '0') this.#at++
    else this.#digits()
    if (this.#text[this.#at] === '.') {
      this.#at++
      this.#digits()
    }
    const mantissa = this.#at - start
    const exponent = this.#text[this.#at]
    let power = 0
    if (exponent === 'e' || exponent === 'E') {
      const sign = this.#text[++this.#at]
      if (sign === '+' || sign === '-') this.#at++
      const digits = this.#at
      this.#digits()
      power = Number(this.#text.slice(digits, this.#at))
    }
    if (mantissa <= SURELY_EXACT && power < EXTREME_POWER) return
    const literal = this.#text.slice(start, this.#at)
    if (survivesAsDouble(literal)) return
    const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
    this.#complain(`The number ${shown} would change when read as a double. Send it as text.`)
  }

  #digits(): void {
    const start = this.#at
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (!(unit >= 0x30 && unit <= 0x39)) break
      this.#at++
    }
    if (this.#at === start) this.#fail('a digit is expected here')
  }

  #space(): void {
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at)
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return
      this.#at++
    }
  }

  #word(): void {
    const word = WORDS.find((known) => this.#text.startsWith(known, this.#at))
    if (word === undefined) this.#fail('a value is expected here')
    this.#at += word.length
  }

  #complain(message: string): void {
    this.#found.add(pathOf(this.#frames.map((frame) => frame.key)), message)
  }

  #fail(what: string): never {
    let line = 1
    let lineEnd = -1
    for (
      let next = this.#text.indexOf('\n');
      next >= 0 && next < this.#at;
      next = this.#text.indexOf('\n', next + 1)
    ) {
      line++
      lineEnd = next
    }
    const column = this.#at - lineEnd
    throw new SyntaxProblem(`This is not valid JSON: line ${line}, column ${column}: ${what}.`)
  }
}
