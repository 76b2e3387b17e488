/** True for a function word of the language: it says nothing about what is sought. `word` folded. */
export function isStopWord(word: string, language: string): boolean {
  return STOP_WORDS.get(language)?.has(word) ?? false;
}

/** Folded forms (lower case, without diacritics): articles, pronouns, prepositions, conjunctions, auxiliaries. */
const LISTS: Readonly<Record<string, string>> = {
  en: `a about above after again all also am an and any are as at be because been before being below between both but by can
    could did do does doing during each either else etc ever for from had has have having he her here hers him his how i if in into is it
    its itself just me more most my no nor not of off on once only or other our ours out over own same she should so some
    such than that the their theirs them then there these they this those through to too under until up us very was we were what
    when where which while who whom why will with would you your yours dont doesnt im ive isnt id`,
  de: `aber alle als also am an auch auf aus bei bin bis bist da damit dann das dass dem den denn der des dessen die dies diese
    diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es euch fur hat hatte hier ich ihm ihn ihr
    ihre im in ist ja kann kein keine mein mich mir mit nach nicht noch nun nur ob oder ohne sehr sein seine sich sie sind so
    uber um und uns unter vom von vor war waren was weil wenn wer werden wie wieder wir wird wo zu zum zur`,
  fr: `a afin ai alors apres au aucun aussi autre aux avant avec avoir c ca car ce cela ces cet cette ceux chez comme comment d dans
    de des deux donc du elle elles en encore entre est et etait etre eu fait faire il ils j je l la le les leur leurs lui m ma
    mais me meme mes mon n ne ni nos notre nous on ont ou par pas plus pour qu quand que quel quelle qui s sa sans se ses si
    son sont sous sur t ta te tes ton tous tout toute toutes tres tu un une vos votre vous y`,
  es: `a al algo algunos ante antes como con contra cual cuando de del desde donde dos el ella ellas ellos en entre era es esa ese
    eso esta estan estas este esto estos fue ha han hasta hay la las le les lo los mas me mi mis muy nada ni no nos o os otra
    otro para pero por porque que quien se ser si sin sobre son su sus tambien te tiene todo todos tu un una uno unos y ya yo`,
  it: `a ad agli ai al alla alle allo anche che chi ci come con contro cui da dagli dai dal dalla dalle degli dei del dell della delle
    dello di dove e ed era essere fra gli ha hanno i il in io l la le lei li lo loro lui ma mi nei nel nella nelle non noi o per
    perche piu quale quando quella quello questa queste questi questo se sei si sia sono sua sue sugli sui sul sulla suo
    ti tra tu tutti tutto un una uno vi voi`,
  pt: `a ao aos as ate com como da das de dela dele deles depois do dos e ela elas ele eles em entre era essa esse esta este eu foi
    ha isso isto ja lhe mais mas me mesmo meu minha muito na nao nas nem no nos nossa nosso num numa o os ou para pela pelas
    pelo pelos por qual quando que quem se sem ser seu seus so sua suas tambem te tem um uma voce`,
  nl: `aan al als bij dan dat de der deze die dit door een en er ge geen haar had heb heeft hem het hier hij hoe hun ik in is je kan
    maar me meer men met mij mijn na naar niet nog nu of om omdat onder ons ook op over te tegen toch toen tot u uit van veel
    voor waar was wat we wel werd wie wij wil worden zal ze zelf zich zij zijn zo zou`,
  sv: `alla allt att av blev bli da de dem den denna det detta dig din du efter ej eller en er ett fran for ha hade han hans har
    har hennes hon hur i icke inte jag kan man med men mig min mot nar nagon nagot ni nu och om oss pa sa sin sig sina som till
    under upp ut vad var vara vi vid vilken`,
  da: `af alle at blev bliver da de dem den denne der det dette dig din du efter eller en er et for fra ham han har havde her hos
    hun hvad hvis hvor i ikke ind jeg kan man med meget men mig min mod nar ned noget nogle nu og om op os over pa sig sin
    skal som til ud under var ved vi vil`,
  no: `alle at av ble bli da de deg dem den denne der det dette din du eller en er et etter for fra ga ham han har hos hun hva
    hvis hvor hvordan i ikke inn jeg kan man med meg men min mot nar noe noen na og om opp oss over pa seg sin skal som til
    ut var ved vi vil`,
  fi: `ei en etta han he hyva ja jo joka jos kanssa kuin kun me mika mina mita mutta myos ne niin nyt oli olla on ovat se sen sina
    sita ta tai tama te vain voi`,
  pl: `a aby ale bez bo by byc byl byla bylo co czy dla do go i ich im ja jak jako je jego jej jest jestem jeszcze juz kto ktora
    ktore ktory ma mi mnie na nad nie niz o od on ona one oni oraz po pod przez przy sa sie tak tam te tego tej ten to tu ty
    tylko w we wiec wszystko z za ze`,
  cs: `a aby ale ani az bez by byl byla bylo byt co do i ja jak jako je jeho jej jen jeste ji jsem jsou k kde kdo kdyz ktera ktere
    ktery ma mezi na nad ne nebo neni o od on pak po pod podle pro proto pred pri s se si ta tak take te ten to tu u v ve
    z za ze`,
  ru: `а без более бы был была были было быть в вам вас весь во вот все всего вы где да для до его ее если есть еще же за здесь и из
    или им их к как когда кто ли мне мы на над не него нет ни но о об однако он она они оно от по под при с со так также там
    те то тоже только ты у уже что чтобы это этого этой этот эту я`,
  tr: `ama ancak bana bazi ben bir biri biz bu cok da daha de defa diye en gibi hem hep her icin ile ise kadar ki kim mi mu ne nasil
    neden o olan olarak oldu olur onu onun sen siz su ve veya ya yani`,
  hu: `a az azt be csak de e egy egyik ekkor el es ez ezt fel hanem hogy igen is ki le lehet lesz ma majd meg mert mi mint
    mivel nem nincs ott sem tehat ugy vagy van volt`,
  ro: `a acest aceasta ai al ale am ar are as au ca care ce cel cea cu cum da dar de din do e ea ei el este eu fi fost iar in intre la
    le lor lui mai mi nu o pe pentru prin sa sau se si sunt te tu un una unde va`,
};

const STOP_WORDS = new Map(
  Object.entries(LISTS).map(([language, words]) => [language, new Set(words.split(/\s+/))] as const),
);
