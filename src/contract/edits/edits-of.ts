import type { Action } from '../action.ts'
import { equalJson, isObject } from '../forms/json.ts'
import { prefilledFields, valueAtSteps } from '../forms/prefill.ts'
import { limits } from '../limits.ts'
import { pathOf } from '../violation.ts'
import { type DiffBudget, maxDiffUnits } from './diff-tokens.ts'
import type { Edit } from './edit.ts'
import { jsonPatch } from './json-patch.ts'
import { unifiedDiff } from './unified-diff.ts'
import { diffWords, type EditLevel, editLevel, type WordCount } from './word-diff.ts'

// Many fields may start with the same long text. After this many characters, the remaining edits
// only say whether the field was changed, and a change among them counts as heavy.
const maxComparedCharacters = 2 * 1024 * 1024

export type Edits = { edits: Edit[]; level: EditLevel }

/** Compares the prefilled fields of an answer with what they started with. Undefined if there are none. */
export function editsOf(
  { schema, ui }: Pick<Action, 'schema' | 'ui'>,
  contextData: unknown,
  answer: unknown,
): Edits | undefined {
  const fields = prefilledFields(schema, ui, contextData)
  if (fields.length === 0) return undefined
  const budget: DiffBudget = { units: maxDiffUnits }
  const words: WordCount = { changed: 0, total: 0 }
  let charactersLeft = maxComparedCharacters
  let bytesLeft: number = limits.editsBytes
  let hasUncomparedChange = false

  const edits = fields.map(({ steps, source, value: before }): Edit => {
    const field = pathOf(steps)
    const after = valueAtSteps(answer, steps)
    const changed = !equalJson(before, after)
    if (charactersLeft < 0) {
      hasUncomparedChange ||= changed
      return { field, source, changed, ...(changed && { truncated: true }) }
    }
    const texts = [asText(before), asText(after)] as const
    charactersLeft -= texts[0].length + texts[1].length
    const { count } = diffWords(...texts, budget)
    words.changed += count.changed
    words.total += count.total
    if (!changed) return { field, source, changed }
    const content = contentThatFits({ before, after, ...diffOf(before, after, budget) }, bytesLeft)
    bytesLeft -= bytesOf(content)
    return { field, source, changed, ...content }
  })
  const isChanged = edits.some(({ changed }) => changed)
  return { edits, level: hasUncomparedChange ? 'heavy' : editLevel(words, isChanged) }
}

type Content = Pick<Edit, 'before' | 'after' | 'diff' | 'truncated'>

/** If not everything fits, only the diff is kept: the sender already has both values. */
function contentThatFits(content: Content, bytes: number): Content {
  const candidates: Content[] = [
    content,
    ...(content.diff === undefined ? [] : [{ diff: content.diff, truncated: true as const }]),
  ]
  return candidates.find((candidate) => bytesOf(candidate) <= bytes) ?? { truncated: true }
}

function diffOf(before: unknown, after: unknown, budget: DiffBudget): Pick<Edit, 'diff'> {
  if (typeof before === 'string' && typeof after === 'string')
    return { diff: unifiedDiff(before, after, budget) }
  const isSameKind = (isObject(before) && isObject(after)) || (Array.isArray(before) && Array.isArray(after))
  return isSameKind ? { diff: [...jsonPatch(before, after)] } : {}
}

/** The text whose words are counted. For an object or a list, it consists of all its values. */
function asText(value: unknown): string {
  if (value === undefined) return ''
  if (typeof value !== 'object' || value === null) return String(value)
  return Object.values(value).map(asText).join('\n')
}

const encoder = new TextEncoder()

function bytesOf(content: Content): number {
  return encoder.encode(JSON.stringify(content)).length
}
