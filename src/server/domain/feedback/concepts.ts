// Words of feedback that mean the same, in English, German, French, Spanish, Japanese and Chinese,
// and as emoji. Each line is one word group: the name of its concept, then its words. The name only
// identifies the group: words are not looked up by it, and terms in stored analyses contain it. Most
// inflections and typos of words in Latin letters are recognized; list others, such as currencies,
// and all forms in Japanese and Chinese. A word in several lines has all of their concepts.

/** What a complaint can be about. */
export const subjects = `
photo: photo picture image pic screenshot snapshot photograph foto bild bilder aufnahme produktfoto produktbild imagen fotografia 写真 画像 スクショ 照片 图片 圖片 📷 📸 🖼
currency: currency currencies euro dollar pound sterling franc yen eur usd gbp chf jpy wahrung franken pfund devise monnaie moneda divisa dolar libra 通貨 外貨 ユーロ ドル ポンド 货币 貨幣 币种 欧元 美元 英镑 💱 💶 💵 💷 💴
exchange-rate: exchange wechselkurs umrechnung cambio 為替 レート 汇率
tone: tone rude impolite unfriendly harsh brusque disrespectful offensive insulting curt snippy aggressive condescending polite politeness ton tonfall tonlage unhoflich unfreundlich frech schroff patzig grob barsch respektlos hoflich impoli poli agressif tono grosero maleducado brusco descortes 口調 失礼 無礼 丁寧 態度 乱暴 きつい 语气 語氣 粗鲁 态度 礼貌 😡 🤬 😠
formality: formal stiff casual informal formlich steif locker formel guinde formales 堅苦しい くだけ 敬語 正式 随便
invoice: invoice bill billing rechnung faktura beleg facture factura recibo 請求書 インボイス 领収書 領収書 发票 發票 账单 🧾
number: number nr num nummer kennung numero numer 番号 ナンバー 号码 编号 號碼 🔢
reference: reference ref aktenzeichen referenz referencia 参照 整理番号
delivery: delivery deliver shipping ship shipment dispatch arrival arrive arrives courier lieferung liefern versand zustellung ankunft livraison livrer expedition entrega envio llegada 配送 配達 納品 到着 出荷 送货 发货 到货 liefertermin lieferdatum lieferzeit versanddatum eta 納期 お届け日 配達日 配送日 到着日 交期 交货期 🚚 🚛
date: date day calendar datum termin tag kalender jour fecha dia calendario 日付 期日 日程 日にち 日期 时间表 liefertermin lieferdatum versanddatum eta 納期 お届け日 配達日 配送日 到着日 交期 交货期 📅 📆 🗓
time: hour clock uhrzeit stunde heure hora 時間 時刻 时间 🕒
weekday: monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miercoles jueves viernes sabado domingo 月曜 火曜 水曜 木曜 金曜 土曜 日曜 星期 周末
lateness: late delay delayed overdue belated slow verspatet verspatung verzogerung langsam retard tardif lent tarde retraso lento 遅い 遅れ 遅延 遅刻 迟到 延误 延迟 太慢 🐌 ⏰ ⏳ 🐢
address: address addresses street postcode zip zipcode recipient adresse anschrift strasse hausnummer plz postleitzahl rue empfanger destinataire direccion calle domicilio destinatario 住所 宛先 宛名 郵便番号 番地 地址 街道 邮编 收件人 🏠 🏡 📍 📪 📫
duplicate: duplicate duplicated dupe double doubled twice doppelt doppel dublette zweimal duplikat doublon duplique duplicado doble repetido repetition 重複 二重 ダブり ダブって 二回 2回 重复 两次 两遍 👯 👥 ♊
price: price pricing expensive overpriced costly cost pricey preis teuer kosten uberteuert prix cher couteux precio caro costoso 値段 価格 高い 高すぎ 高額 料金 割高 价格 价钱 太贵 贵 費用 费用 💸 🤑
amount: amount sum total subtotal betrag summe gesamtbetrag montant somme importe suma monto cantidad 金額 合計 総額 金额 总额 合计 🧮
tax: tax vat taxes steuer mehrwertsteuer mwst ust taxe tva impuesto iva 税 税金 消費税 税率 增值税
discount: discount rebate coupon voucher rabatt gutschein nachlass skonto remise reduction descuento cupon 割引 クーポン 値引き 折扣 优惠 🏷
name: name surname firstname lastname vorname nachname namen nom prenom nombre apellido 名前 氏名 苗字 姓名 名字
greeting: greeting salutation dear anrede begrussung salut saludo 挨拶 称呼
language: language english german french spanish japanese chinese sprache englisch deutsch franzosisch spanisch langue anglais allemand francais idioma ingles aleman frances 言語 英語 日本語 ドイツ語 语言 英语 中文 🌐
translation: translation translate translated ubersetzung ubersetzt traduction traduit traduccion traducido 翻訳 訳 翻译 译文
spelling: spelling typo misspelled misspelling grammar orthography rechtschreibung tippfehler schreibfehler grammatik orthographe faute coquille ortografia gramatica errata 誤字 脱字 スペル 文法 错别字 语法 拼写
length: long lengthy short shorter length wordy verbose lang kurz kurzer lange langatmig longueur court largo corto extenso 長い 長すぎ 短い 短すぎ 太长 太短 冗长
link: link url hyperlink lien enlace verweis リンク 链接 連結 🔗
attachment: attachment attach attached enclosure enclosed anhang anlage beigefugt angehangt joint adjunto adjuntar adjuntado 添付 附件 📎
signature: signature sign signed unterschrift unterschrieben signiert firma firmado 署名 サイン 签名 签字 ✍
approval: permission authorization authorisation genehmigung freigabe autorisation autorizacion 許可 承認 批准 授权
form: form formular formulaire formulario フォーム 表单
format: format layout formatting design formatierung gestaltung formato diseno 書式 形式 レイアウト 格式 排版
source: source citation quote cite evidence proof quelle nachweis beleg zitat preuve fuente prueba 出典 根拠 証拠 来源 证据
fact: hallucination hallucinated invented fabricated erfunden ausgedacht halluziniert invente inventado 捏造 でっち上げ 架空 编造
privacy: privacy private personal confidential secret datenschutz vertraulich geheim prive confidentiel privado confidencial 個人情報 機密 プライバシー 隐私 机密 🔒 🔐
security: security password unsafe vulnerability sicherheit passwort unsicher securite motdepasse seguridad contrasena 安全 パスワード 密码
quality: blurry blurred pixelated unsharp resolution unscharf verschwommen auflosung flou borroso ぼやけ 画質 模糊 分辨率
color: color colour red blue green farbe couleur 色 颜色 🎨
size: size sizes dimension grosse mass taille talla tamano サイズ 寸法 尺寸 大小 📏
weight: weight kilo kilogram gewicht poids peso 重さ 重量
quantity: quantity quantities pieces items count stuck anzahl menge stuckzahl quantite cantidades 数量 個数 件数
stock: stock inventory bestand lager ausverkauft rupture existencias agotado 在庫 品切れ 库存 缺货
damage: damage damaged broken scratch scratched defect defective beschadigt kaputt defekt schaden endommage casse danado roto 破損 壊れ 傷 损坏 破损 坏了 💔
parcel: parcel package packet box carton paket karton packchen colis paquete caja 荷物 小包 包裹 快递 📦
payment: payment pay paid charge charged zahlung bezahlt bezahlen zahlen paiement paye pago pagado pagar 支払 支払い 入金 付款 支付 💳
refund: refund refunded reimbursement ruckerstattung erstattung remboursement reembolso devolucion 返金 退款
return: return returned retoure rucksendung retour rucksenden 返品 退货
cancellation: cancel cancelled cancellation storno storniert stornierung annulation annule cancelacion anular キャンセル 取消 取り消し
contract: contract clause agreement vertrag klausel contrat contrato 契約 条項 合同 条款 📜
deadline: deadline cutoff frist fallig echeance plazo 締め切り 締切 期限 截止
legal: legal lawyer law compliance rechtlich gesetz anwalt juridique loi abogado ley 法的 法律 法務 ⚖
policy: policy rule guideline richtlinie vorschrift regel politique regle politica regla 規定 規則 方針 政策 规定
customer-number: kundennummer 顧客番号 客户编号
phone: phone telephone mobile telefon handy handynummer rufnummer telephone portable telefono movil 電話 携帯 电话 手机 📞 ☎ 📱
email: email mail inbox courriel correo メール 邮件 邮箱 📧 ✉ 📩
account: account konto compte cuenta アカウント 口座 账户 帐号
bank: bank iban bic banque banco 銀行 银行 🏦
country: country land pays pais 国 国家
relevance: irrelevant unrelated themenfremd irrelevante 無関係 的外れ 无关 跑题
clarity: unclear confusing vague ambiguous unverstandlich unklar verwirrend confus incomprehensible confuso わかりにくい 分かりにくい 不明確 曖昧 不清楚 含糊 😕 🤔
repetition: repetitive repeats wiederholt wiederholung repetitif repetitivo 繰り返し 啰嗦
bias: bias biased unfair voreingenommen ungerecht biaise injusto 偏見 不公平 偏见
version: version outdated obsolete old stale veraltet uberholt alt obsolete perime anticuado obsoleto 古い 旧 过时 旧版
test: test tests testing テスト 测试
error-message: crash crashes exception stacktrace absturz abgesturzt plantage クラッシュ 崩溃
code: code function compile compiler codigo コード 代码
headline: headline title heading titel uberschrift titre titulo 見出し タイトル 标题
example: example sample beispiel exemple ejemplo 例 例子 示例
`

/**
 * Words that do not say what a complaint is about. They make a theme only together with another
 * term.
 */
export const generics = `
wrong: wrong incorrect false mistake error inaccurate mismatch match matches fix correct falsch fehler fehlerhaft inkorrekt stimmt passt korrigieren faux fausse erreur incorrect incorrecto equivocado mal error 間違い 間違って 間違え 違う 違い 違って 誤り 正しくない おかしい 错 错误 不对 有误 ❌ 🚫 ⛔ ❎
missing: missing miss lacks lacking absent omitted forgotten forgot without nowhere empty blank lost no none fehlt fehlen fehlte fehlend vergessen ohne kein keine keinen keinerlei leer nirgends manque manquant absent sans oublie aucun aucune pas falta faltan ausente sin olvidado ningun ninguna vacio ない なし 無い ありません 抜け 欠け 漏れ 不足 見当たら 忘れ 空欄 没有 缺少 缺 漏 忘了 遗漏 ∅ 🈳
bad: bad poor terrible awful horrible unacceptable ugly schlecht mies furchtbar schrecklich inakzeptabel mauvais terrible nul malo pesimo inaceptable ひどい 悪い ダメ だめ 駄目 差 糟糕 👎 😞 😢 🤦 🙄 😤 💩
good: good great nice perfect excellent fine okay thanks thank gut super prima danke perfekt toll bon bien merci parfait bueno gracias perfecto よい 良い いい ありがとう 完璧 好的 谢谢 👍 ✅ 🙏 🙂 😊 👌 🎉
much: enough quite very high higher low lower large small big many zu hoch hohe niedrig gross klein viel wenig genug ausreichend trop haut bas grand petit demasiado alto bajo grande pequeno suficiente assez すぎ 多い 少ない 太 多 少
again: again still always every another repeatedly wieder erneut immer schon nochmal encore toujours otra vez siempre nuevamente また まだ 再び 又 再 还是 🔁 🔄
check: check verify review look see read ask prufen nachsehen schauen ansehen fragen verifier regarder voir demander revisar verificar ver mirar preguntar 確認 チェック 見て 检查 确认 看 👀 🔍 ❓ ⁉
change: change update edit rewrite redo adjust replace add remove andern anpassen ersetzen erganzen entfernen changer modifier ajouter remplacer cambiar modificar agregar anadir quitar 修正 変更 直して 書き直 追加 修改 更正 改 添加 🔧 ✏
ask: please kindly bitte svp plait favor ください お願い 下さい 请 麻烦 ❗ ‼
customer: customer client buyer guest user kunde kundin kunden cliente usuario お客様 お客 顧客 客户 顾客 👤
order: order orders bestellung auftrag commande pedido orden 注文 订单 🛒
thing: thing stuff item something anything ding sache chose cosa もの 东西 product produkt artikel article produit producto 商品 产品
say: said told wrote write says sagt gesagt schreibt schreiben geschrieben dit ecrit dijo escribio 書いて 言って 説
send: send sent gesendet senden schicken geschickt envoyer envoye enviar enviado 送 送って 发送 📤
reject: reject rejected decline declined deny ablehnen abgelehnt refuse rechazar rechazado 却下 拒否 拒绝 🙅
understand: know think believe guess sure wissen glaube denke sicher sais pense crois creo 思う 知 觉得
same: same identical equal gleich gleiche selbe identisch meme identique mismo igual 同じ 相同 一样
day-word: today yesterday tomorrow now week month year heute gestern morgen woche monat jahr aujourd hier demain semaine mois hoy ayer manana semana mes 今日 昨日 明日 今天 昨天 明天
`
