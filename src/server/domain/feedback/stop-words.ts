/**
 * Words too common to be distinctive, in several languages that separate words with spaces. In
 * other languages, only the comparison with other texts shows which words are common. `ll`, `re`
 * and `ve` are the ends of we'll, we're and we've.
 */
export const stopWords: ReadonlySet<string> = new Set(
  `
  a about after again ain't all also am an and any are aren't as at be because been before being both but by can could
  couldn't did didn't do does doesn't doing don't done down each else even ever few for from get gets got had hadn't has
  hasn't have haven't having he her here hers him his how i i'm if in into is isn't it it's its just let like ll made make
  makes many may me might more most much must mustn't my need needs no nor not now of off on once one only or other our
  out over own please re really same say says she should shouldn't so some still such than that that's the their them then
  there these they this those through to too under until up us use used ve very want was wasn't way we were weren't what
  when where which while who why will with without won't would wouldn't yes you your
  two three four five six seven eight nine ten first second third

  aber alle als also am an auch auf aus bei bin bis bitte da das dass dem den der des die dies diese dieser doch du ein eine
  einem einen einer er es für haben hat hier ich ihr im in ist ja jetzt kann kein keine man mehr mit muss nach nicht noch nur
  eins zwei drei vier fünf oder schon sein sehr sich sie sind so über um und uns vom von vor war was weil wenn werden wie wieder wir wird wurde zu zum zur

  au aux avec ce ces cette dans de des du elle en est et être fait il ils je la le les leur lui mais me même mon ne nous on ou où
  par pas plus pour que qui sa se si son sont sur ta te tout très tu un une vous y à été

  al como con cuando de del el ella en era es esta este está ha hay la las lo los más me mi muy no nos o para pero por que se si
  sin sobre son su sus también te un una uno y ya

  ao aos as com da das do dos e ela ele em essa esse foi isso isto mas na nas não no nos os ou pela pelo por quando são sem seu
  sua também tem um uma

  che chi ci come da dal della delle di e gli ha i il le lo ma mi nel nella non per più si sono sua suo un una

  aan dat de deze die dit een en er het hij ik is maar met naar niet nog of om ook op te tot van voor was wat we wel wij zijn

  в во и на не но он она они оно по с со так то что это я мы вы был было были для из к как за у о от же бы
  `
    .split(/\s+/)
    .filter((word) => word !== ''),
)
