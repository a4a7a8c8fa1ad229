import { type Outcome, reservedActions } from '../../../contract/action.ts'

export type ChosenAction = { id: string; title: string; outcome?: Outcome | undefined }

/** What an answer says about the agent's work: as the sender declared it, else as its id and title suggest. */
export function outcomeOf({ id, title, outcome }: ChosenAction): Outcome {
  if (id === reservedActions.rejectRequest.id) return 'negative'
  if (id === reservedActions.markDone.id) return 'neutral'
  if (outcome) return outcome
  const words = wordsOf(`${id} ${title}`)
  const says = (list: ReadonlySet<string>) => words.some((word) => list.has(word))
  const positive = says(positiveWords)
  if (positive && says(negations)) return 'negative'
  // "Approve with changes" says both, so it says neither.
  if (says(negativeWords)) return positive ? 'neutral' : 'negative'
  return positive ? 'positive' : 'neutral'
}

/** `needsWork`, `needs-work` and "Needs work" are the same words. */
function wordsOf(text: string): string[] {
  const apart = text.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2').replace(/n['’]t\b/gi, ' not')
  return apart.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []
}

const list = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/))

const negations = list('not no dont never without nicht nie kein keine pas non ne nao não nunca niet geen')

const positiveWords = list(`
  accept accepted agree allow approve approved approves confirm confirmed correct good great keep like lgtm ok okay pass
  perfect publish right satisfied send ship thumbsup valid yes
  akzeptieren annehmen bestätigen erlauben freigeben genehmigen gut ja richtig senden zustimmen
  accepter approuver autoriser bon confirmer correcte envoyer oui publier valider
  aceptar aprobar autorizar bien bueno confirmar correcto enviar publicar sí
  aceitar aprovar bom certo sim accettare approvare confermare sì goedkeuren akkoord
  承認 批准 同意 通过 通過 はい 승인 одобрить принять да`)

const negativeWords = list(`
  bad block blocked change changes decline declined deny denied disagree disallow disapprove discard dislike escalate fail
  failed fix flag hallucination inaccurate incorrect invalid no redo refuse refused reject rejected rejects report revise
  rework spam thumbsdown unsafe unsatisfied worse wrong
  ablehnen falsch nein schlecht überarbeiten verweigern zurückweisen
  faux mauvais refuser rejeter rechazar incorrecto malo denegar rejeitar recusar errado rifiutare sbagliato afwijzen fout
  却下 拒否 拒绝 拒絕 驳回 いいえ 거부 반려 отклонить нет`)
