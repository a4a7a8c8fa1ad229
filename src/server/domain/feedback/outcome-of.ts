import type { Outcome } from '../../../contract/action.ts'
import type { OutcomeSource } from '../../../contract/action-outcome.ts'
import { reservedActions } from '../../../contract/reserved-actions.ts'

/** The action of an answer, with the outcome that the sender declared for it. */
export type DeclaredAction = { id: string; title: string; outcome?: Outcome | undefined }

/**
 * The outcome of an action, and who decided it: the sender, otherwise an admin (`outcomeByAdmin`).
 * If neither did, it is inferred from the words of the action's id and title, and neutral if these
 * are unclear or contradict each other: a wrong guess would invert the analysis.
 */
export function outcomeOf(
  { id, title, outcome }: DeclaredAction,
  outcomeByAdmin?: Outcome | null,
): { outcome: Outcome; source: OutcomeSource } {
  if (id === reservedActions.rejectRequest.id) return { outcome: 'negative', source: 'sender' }
  if (id === reservedActions.markDone.id) return { outcome: 'neutral', source: 'sender' }
  if (outcome) return { outcome, source: 'sender' }
  if (outcomeByAdmin) return { outcome: outcomeByAdmin, source: 'workspace' }
  const inferred = inferFromBoth(inferCached(id), inferCached(title))
  return inferred ? { outcome: inferred, source: 'inferred' } : { outcome: 'neutral', source: 'unknown' }
}

function inferFromBoth(fromId: Inferred, fromTitle: Inferred): 'positive' | 'negative' | undefined {
  if (fromId === 'unclear' || fromTitle === 'unclear') return undefined
  if (fromId === undefined || fromId === fromTitle) return fromTitle
  return fromTitle === undefined ? fromId : undefined
}

/** undefined: the text suggests no outcome. "unclear": it suggests both. */
type Inferred = 'positive' | 'negative' | 'unclear' | undefined

// An analysis looks up the same few texts a hundred thousand times.
const cache = new Map<string, Inferred>()
const maxCacheEntries = 1_000

function inferCached(text: string): Inferred {
  if (cache.has(text)) return cache.get(text)
  if (cache.size >= maxCacheEntries) cache.clear()
  const result = infer(text)
  cache.set(text, result)
  return result
}

function infer(text: string): Inferred {
  const words = wordsOf(text)
  let rest = ` ${words.join(' ')} `
  // Whole phrases first: "send back" is not "send", and "no changes needed" is not "changes".
  const found = { positive: false, negative: false }
  for (const [phrase, outcome] of phrases) {
    if (!rest.includes(` ${phrase} `)) continue
    found[outcome] = true
    rest = rest.replaceAll(` ${phrase} `, '  ')
  }
  const left = rest.split(' ').filter(Boolean)
  const contains = (list: ReadonlySet<string>) => left.some((word) => list.has(word))
  if (contains(positiveWords)) found[contains(negations) ? 'negative' : 'positive'] = true
  else if (contains(negations) && contains(negativeWords)) return 'unclear' // "not wrong", "no, wrong"
  // "No" or "Nein" is negative if it is the only word. With others it may be a negation.
  if (contains(negativeWords) || (left.length === 1 && refusals.has(left[0]!))) found.negative = true
  if (found.positive && found.negative) return 'unclear'
  return found.positive ? 'positive' : found.negative ? 'negative' : undefined
}

/** `needsWork`, `needs-work` and "Needs work" are the same words. */
function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/n['’]t\b/gi, ' not')
  return apart.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
}

const list = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))
const phrasesOf = <O>(outcome: O, text: string) =>
  text
    .trim()
    .split(/\s*,\s*/)
    .map((phrase) => [phrase, outcome] as const)

/** Longest first: "no changes needed" contains "changes needed". */
const phrases = [
  ...phrasesOf(
    'negative' as const,
    `
    send back, send it back, sent back, return to agent, back to agent, needs work, need work, needs changes, need changes,
    needs revision, needs fix, changes needed, request changes, requests changes, ask for changes, not good enough, try again,
    start over, do over, do it again, zurück senden, zurück an den agenten, zurückschicken, zurückgeben, zurücksenden,
    änderungen nötig, änderungen anfordern, à revoir, à refaire, renvoyer à l agent, demander des modifications,
    solicitar cambios, pedir cambios, necesita cambios, devolver, solicitar alterações, pedir alterações, richiedi modifiche,
    terugsturen, wijzigingen nodig, 差し戻し, 差し戻す, 差戻し, 要修正, 退回, 打回, 需要修改, 수정 필요, на доработку`,
  ),
  ...phrasesOf(
    'positive' as const,
    `
    no changes needed, no change needed, no changes required, no change required, no changes, no change, no edits needed, no edits,
    no issues found, no issues, no issue, no problems, no problem, no errors, no objections, no objection, nothing to change,
    nothing wrong, without changes, not bad, looks fine, keine änderungen nötig, keine änderungen, keine änderung, keine einwände,
    keine probleme, kein problem, ohne änderungen, nichts zu ändern, aucun changement, aucune modification, aucun problème,
    sans modification, sin cambios, sin problemas, ningún cambio, sem alterações, sem problemas, nessuna modifica,
    nessun problema, geen wijzigingen, geen bezwaar, 問題なし, 修正不要, 変更なし, 无需修改, 没有问题, 没问题, 無需修改,
    문제 없음, 수정 불필요, без изменений, без замечаний`,
  ),
].sort(([a], [b]) => b.length - a.length)

const negations = list('not no dont never without nicht nie kein keine pas non ne nao não nunca niet geen')
const refusals = list('no non nein nee não нет')

const positiveWords = list(`
  accept accepted agree allow approve approved approves confirm confirmed correct good great lgtm ok okay perfect publish
  satisfied send ship thumbsup valid yes
  akzeptieren annehmen bestätigen erlauben freigeben genehmigen gut ja richtig senden zustimmen
  accepter approuver autoriser bon confirmer correcte envoyer oui publier valider
  aceptar aprobar autorizar bien bueno confirmar correcto enviar publicar sí
  aceitar aprovar bom certo sim accettare approvare confermare sì goedkeuren akkoord
  承認 批准 同意 通过 通過 はい 승인 одобрить принять да`)

const negativeWords = list(`
  bad block blocked change changes decline declined deny denied disagree disallow disapprove discard dislike fail failed fix
  hallucination inaccurate incorrect invalid redo refuse refused reject rejected rejects revise rework spam thumbsdown unsafe
  unsatisfied worse wrong
  ablehnen falsch nein schlecht überarbeiten verweigern zurückweisen
  faux mauvais refuser rejeter rechazar incorrecto malo denegar rejeitar recusar errado rifiutare sbagliato afwijzen fout
  却下 拒否 拒绝 拒絕 驳回 いいえ 거부 반려 отклонить нет`)
