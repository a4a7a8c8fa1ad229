import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import ReviewStrip from './review-strip.tsx'

test.each([
  [0, 1, '2 people must give the same answer. Nobody has answered yet.'],
  [0, 2, '2 people must give the same answer. Nobody has answered this revision yet.'],
  [1, 1, '2 people must give the same answer. 1 person answered.'],
  [1, 2, '2 people must give the same answer. 1 person answered this revision.'],
  [
    2,
    1,
    "2 people must give the same answer. 2 people answered. Once everyone who may answer has answered, an admin's answer decides.",
  ],
])('after %i of 2 answers to revision %i, the strip says: %s', (given, revision, text) => {
  const review = { needed: 2, given, onDecline: 'collect', you: 'answered' } as const
  render(<ReviewStrip review={review} revision={revision} />)
  expect(screen.getByRole('status').textContent).toBe(text)
})
