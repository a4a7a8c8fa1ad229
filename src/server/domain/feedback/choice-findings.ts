import type { Finding } from './finding.ts'
import { chance, count, ofHowMany, percent } from './format.ts'
import { differencePValue, shareOf, sum } from './proportions.ts'
import type { FormQuestion } from './questions.ts'
import type { Naming } from './references.ts'

const minAnswers = 10
const dominantShare = 0.3
const level = 0.05
const advice = 'Check for it before the task is sent, so that people do not have to.'

/**
 * A choice is a reason only in contrast with other answers to the same question. If only negative answers are asked, it is
 * counted and nothing more is claimed.
 */
export function choiceFindings(
  questions: FormQuestion[],
  isNegative: (actionId: string) => boolean,
  name: Naming,
): Finding[] {
  return questions.flatMap((question) => {
    if (!question.choices?.[0] || question.answers < minAnswers || !isNegative(question.actionId)) return []
    const others = questions.filter((other) => other.field === question.field && !isNegative(other.actionId))
    const finding =
      sum(others, ({ answers }) => answers) === 0
        ? counted(question, name)
        : contrasted(question, others, name)
    return finding ? [finding] : []
  })
}

function counted(
  { actionTitle, field, title, answers, choices }: FormQuestion,
  name: Naming,
): Finding | undefined {
  const [top, next] = choices!
  if (!top || top.count / answers < dominantShare || !leads(top.count, next?.count ?? 0)) return undefined
  return {
    kind: 'choice',
    title: `With ${name(actionTitle)}, people choose ${name(top.label)} most often`,
    evidence: `${count(top.count)} of ${count(answers)} answers to ${name(title)} (${percent(top.count / answers)}). Other answers are not asked this, so there is nothing to compare with.`,
    advice,
    gain: top.count,
    isGainAnUpperLimit: true,
    mark: { question: field, choice: top.label },
    chart: {
      title: `${title}, with ${actionTitle}`,
      bars: choices!
        .slice(0, 5)
        .map((one) => ({ ...shareOf(one.count, answers), label: one.label, isMarked: one === top })),
    },
  }
}

function contrasted(question: FormQuestion, others: FormQuestion[], name: Naming): Finding | undefined {
  const { actionTitle, field, title, answers, choices } = question
  const otherAnswers = sum(others, (other) => other.answers)
  if (otherAnswers < minAnswers) return undefined
  const [first] = choices!
    .map(({ label, count: chosen }) => {
      const elsewhere = sum(others, (other) => other.choices?.find((one) => one.label === label)?.count ?? 0)
      const [own, rest] = [shareOf(chosen, answers), shareOf(elsewhere, otherAnswers)]
      return { label, own, rest, pValue: differencePValue(own, rest) * choices!.length }
    })
    .filter(({ own, rest, pValue }) => pValue < level && own.share > rest.share)
    .sort((a, b) => b.own.count - a.own.count)
  if (!first) return undefined
  return {
    kind: 'choice',
    title: `${name(first.label)} is chosen more often with ${name(actionTitle)}`,
    evidence: `${ofHowMany(first.own)} answers to ${name(title)}, against ${ofHowMany(first.rest)} with other answers (${chance(first.pValue)} after correction).`,
    advice,
    gain: first.own.count - first.rest.share * answers,
    mark: { question: field, choice: first.label },
    chart: {
      title: `${title}: ${first.label}`,
      bars: [
        { ...first.own, label: `With ${actionTitle}`, isMarked: true },
        { ...first.rest, label: 'With other answers', isMarked: false },
      ],
    },
  }
}

/** Whether the first leads by more than chance: even of two equal ones, one is always ahead. */
function leads(first: number, second: number): boolean {
  return shareOf(first, first + second).low > 0.5
}
