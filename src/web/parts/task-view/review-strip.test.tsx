import { render, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import ReviewStrip from './review-strip.tsx'

test.each([
  [0, '2 people must give the same answer. Nobody has answered yet.'],
  [1, '2 people must give the same answer. 1 person answered.'],
  [
    2,
    "2 people must give the same answer. 2 people answered. Once everyone who may answer has answered, an admin's answer decides.",
  ],
])('after %i of 2 answers, the strip says: %s', (given, text) => {
  render(<ReviewStrip review={{ needed: 2, given, onDecline: 'collect', you: 'answered' }} />)
  expect(screen.getByRole('status').textContent).toBe(text)
})
