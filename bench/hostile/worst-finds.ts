import type { Part } from './check-genome.ts'
import type { Genome } from './grow-form.ts'

/** The slowest genomes that the search has found, including those whose checks are fast today. */
export const worstFinds: { part: Part; genome: Genome }[] = [
  { part: 'forms', genome: { forms: 1, genes: [{ kind: 'unique', count: 740, size: 370, link: 0 }] } },
  { part: 'forms', genome: { forms: 1, genes: [{ kind: 'unique', count: 2_000, size: 2_000, link: 0 }] } },
  { part: 'forms', genome: { forms: 1, genes: [{ kind: 'required', count: 10_000, size: 195, link: 0 }] } },
  { part: 'forms', genome: { forms: 2, genes: [{ kind: 'all', count: 500, size: 480, link: 0 }] } },
  { part: 'forms', genome: { forms: 50, genes: [{ kind: 'patterns', count: 25, size: 4, link: 0 }] } },
  { part: 'forms', genome: { forms: 50, genes: [{ kind: 'fields', count: 20, size: 20, link: 0 }] } },
  {
    part: 'forms',
    genome: {
      forms: 3,
      genes: [
        { kind: 'dependent', count: 1_024, size: 16, link: 1 },
        { kind: 'graph', count: 8, size: 128, link: 0 },
        { kind: 'graph', count: 8, size: 64, link: 3 },
      ],
    },
  },
  { part: 'answer', genome: { forms: 1, genes: [{ kind: 'options', count: 533, size: 11, link: 0 }] } },
  { part: 'answer', genome: { forms: 1, genes: [{ kind: 'options', count: 100, size: 150, link: 0 }] } },
  { part: 'answer', genome: { forms: 1, genes: [{ kind: 'repeats', count: 700, size: 80, link: 0 }] } },
  { part: 'answer', genome: { forms: 1, genes: [{ kind: 'lists', count: 500, size: 45, link: 0 }] } },
  { part: 'answer', genome: { forms: 1, genes: [{ kind: 'names', count: 10_000, size: 20, link: 0 }] } },
  { part: 'answer', genome: { forms: 1, genes: [{ kind: 'patterns', count: 25, size: 1_509, link: 0 }] } },
]
