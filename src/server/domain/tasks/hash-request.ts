import { createHash } from 'node:crypto'
import { nextTurn } from '../../lib/event-loop.ts'

const charactersPerTurn = 16 * 1024

/**
 * Hashes the parsed arguments without the idempotency key, before defaults are applied. The order
 * of fields does not matter. Yields to the event loop between parts of the text. Stored hashes
 * depend on the exact text: do not change it.
 */
export async function hashRequest({
  idempotencyKey: _,
  ...args
}: { idempotencyKey?: string | undefined } & Record<string, unknown>): Promise<string> {
  const hash = createHash('sha256')
  let text = ''
  const write = async (value: unknown): Promise<void> => {
    if (text.length > charactersPerTurn) {
      hash.update(text)
      text = ''
      await nextTurn()
    }
    if (typeof value !== 'object' || value === null) {
      text += JSON.stringify(value)
    } else if (Array.isArray(value)) {
      text += '['
      for (let index = 0; index < value.length; index++) {
        if (index > 0) text += ','
        await write(value[index])
      }
      text += ']'
    } else {
      await writeObject(value as Record<string, unknown>)
    }
  }
  // An object is written as a list of pairs inside an object, so that it differs from an array of
  // pairs in the input.
  const writeObject = async (object: Record<string, unknown>): Promise<void> => {
    const keys = Object.keys(object).filter((key) => object[key] !== undefined)
    text += '{"pairs":['
    for (const [index, key] of keys.sort().entries()) {
      text += `${index > 0 ? ',' : ''}[${JSON.stringify(key)},`
      await write(object[key])
      text += ']'
    }
    text += ']}'
  }
  await write(args)
  return hash.update(text).digest('hex')
}
