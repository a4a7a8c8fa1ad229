import type { Random } from './random.ts'

// What people write in sample answers: short, hasty, sometimes not in English.

/**
 * One of the texts, sometimes in lower case without its full stop, sometimes with a few words
 * before or after it.
 */
export function remark(random: Random, texts: readonly string[]): string {
  const text = random.pick(texts)
  if (random.chance(0.12)) return text.toLowerCase().replace(/\.$/, '')
  const before = random.chance(0.18) ? `${random.pick(openings)} ` : ''
  const after = random.chance(0.18) ? ` ${random.pick(closings)}` : ''
  return before + text + after
}

const openings = ['Hm.', 'Sorry, no.', 'Quick one:', 'Second time today.', 'From me:', 'Not sure.', 'OK so:']
const closings = [
  'Thanks!',
  'Over to Dana.',
  'Happy to talk.',
  '(on my phone)',
  'See ticket.',
  '– N.',
  'Ask me.',
]

export const wrongCurrency = [
  'The order was paid in Swiss francs, the refund is in euros.',
  'Wrong currency. This customer is in the UK shop.',
  'Amount is fine, currency is not: she paid in pounds.',
  'Why euros? The card was charged in dollars.',
  'Please refund in the currency of the order, CHF here.',
  'Currency again. 129 pounds are not 129 euros.',
  'He would lose money on the exchange. Refund in francs.',
  'The currency comes from our account, it must come from the order.',
  'Converted twice, and the currency is still wrong.',
  'EUR on a GBP order.',
  'Check the currency before you ask me.',
  'Falsche Währung, bezahlt wurde in Franken.',
  'La moneda no es correcta, pagó en dólares.',
]

export const declinedRefund = [
  'The photo shows another product.',
  'No picture of the damage, ask for one first.',
  'He had three refunds since summer. I want to see this one in person.',
  'Delivered five weeks ago, that is past the period.',
  'Shipping was free, do not pay it back.',
  'This was refunded by phone last Tuesday.',
  'The parcel is still with the carrier, wait for the scan.',
  'She wants a new one and not the money, read her second mail.',
  'Voucher was used for half of it.',
  'Open a claim with the courier instead.',
  'Only the lid is broken, send a spare part.',
  'That is a business account, those go to Priya.',
  'Address does not match the order.',
  'Customer wrote the same to two shops.',
  'Our warehouse has it back already and it is in order.',
  'Gift order, the money belongs to the sender.',
  'The set has four pieces, one is broken, so a quarter.',
  'Two people claim the same parcel.',
  'I would offer half and see what he says.',
  'She bought it used, that is not our guarantee.',
  'Broken by the dog, it says so in line three.',
  'Needs a signature above 200.',
  'Not before the stock count is done.',
  'The lamp works, he has the wrong bulb in it.',
  'Already in dispute at the bank, keep out.',
  'Same boots were returned twice under other names.',
  'Let her keep it and give 20 %.',
  'Account was closed in spring.',
  'You read the wrong message, this one is a thank-you.',
  'Kein Nachweis für den Schaden.',
  'Il manque la preuve d’achat.',
]

export const approvedRefund = [
  'Clear case.',
  'Fine by me.',
  'We are sorry that it arrived broken.',
  'Checked the photo, all good.',
  'Third one from this batch, I told the warehouse.',
  'Good customer, do it today.',
  'OK, and send her a voucher for the trouble.',
  'Matches the invoice.',
  'Danke, passt.',
  'Yes. The courier has admitted it.',
  'Approved, amount is right.',
  'Sorry for the wait, I was on the train.',
]

export const tooFormal = [
  'Far too formal, we say hi and use first names.',
  'Nobody here writes "Dear Sir or Madam". Less formal please.',
  'Tone is stiff. She wrote three casual lines, answer like that.',
  'Too formal for a chat customer.',
  'Drop the formal phrases in the first paragraph.',
  'Reads like a lawyer wrote it. Formal, cold.',
  'Formal again. Our guide says: talk like a neighbour.',
  'Way too formal for a two-line question.',
  'Sounds formal and bored at the same time.',
  'Start with her name, not with a formal salutation.',
  'We are a small shop, this is formal like a bank.',
  'Zu förmlich, wir duzen unsere Kunden.',
]

export const rewrittenReply = [
  'It promises Friday, we do not know that.',
  'Answers the first question and forgets the second.',
  'The link goes to the old help page.',
  'Do not mention the warehouse by name.',
  'He asked in French, answer in French.',
  'Two apologies are enough, here are five.',
  'Order number is missing.',
  'That discount ended in September.',
  'Wrong name in the greeting.',
  'She already sent the photo. Do not ask again.',
  'Half as long would do.',
  'This belongs to billing.',
  'The opening hours are from last winter.',
  'She is a doctor, use the title.',
  'Do not tell him what others paid.',
  'The courier is not called that any more.',
  'Nothing here about the broken handle.',
  'I would not say "guaranteed".',
  'Attach the invoice, he asked twice.',
  'We never sold that lamp in green.',
  'Too many bullet points for one question.',
  'It blames the customer in the third line.',
  'Prices without tax, please add it.',
  'Ask which of the two orders he means.',
  'Wrong shop, this is the outlet.',
  'Reads as if we had lost the parcel. We have not.',
  'Cut the part about cookies.',
  'Le ton est bon, mais la date est fausse.',
  'No se entiende la segunda frase.',
]

export const sentReply = [
  'Nice one.',
  'Good, kept as it is.',
  'Read it twice.',
  'Perfect answer.',
  'Sent. I liked the second paragraph.',
  'Fine.',
  'Good catch with the delivery date.',
  'Short and friendly, more of this.',
  'Prima.',
  'Exactly what I would have written.',
]

export const rejectedRequest = [
  'This customer asked us not to write any more.',
  'Spam. Do not answer.',
  'Legal has this one, please stay out of it.',
  'Duplicate of the task above.',
  'He is a journalist. Press answers that.',
  'We closed this on the phone.',
]

export const whyBetter = [
  'Says when to use it, the other only what it is.',
  'Shorter, and the example runs.',
  'The other one is wrong about the last step.',
  'Easier to follow for a beginner.',
  'Code is cleaner.',
  'Both fine, this one has the warning.',
  'Less waffle at the start.',
  'I trust the numbers in this one.',
  'The list helps.',
  'Explains the why.',
  'Hard to say, tone decided.',
  'Erklärt es mit einem Beispiel.',
]
