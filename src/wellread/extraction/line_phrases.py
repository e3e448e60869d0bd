"""Phrases that begin short lines in languages other than English, by the purpose of the line.

The categories are those of `lexicon.LINES`, so the networks, which learned from English lines what each is worth, know
it of these as well. A phrase that ends in `=` stands for the whole line. Phrases are in lower case; the languages are
those of news sites that the reader is measured on, and others of the same scripts.
"""

from __future__ import annotations

import unicodedata
from typing import Final

from wellread.lazy_pattern import lazy_pattern

_SECTION: Final = """
de: mehr zum thema | mehr zu | mehr aus | mehr von | mehr artikel | lesen sie auch | lesen sie mehr | lies auch
  | auch interessant | das könnte sie auch interessieren | das könnte dich auch | das könnte ihnen | weitere artikel
  | weitere themen | weitere meldungen | weitere nachrichten | weitere informationen= | weiterlesen | ähnliche artikel
  | ähnliche beiträge | ähnliche themen | verwandte artikel | verwandte themen | verwandte beiträge | passend dazu
  | passend zum thema | zum thema= | themen= | meistgelesen | meist gelesen | meistgelesene | am meisten gelesen
  | beliebteste | beliebte artikel | empfohlene artikel | empfehlungen= | empfehlungen der redaktion | unsere empfehlung
  | neueste artikel | neueste beiträge | neueste nachrichten | neueste meldungen | aktuelle beiträge | letzte beiträge
  | top-themen | topthemen | top-news | top-artikel | nächster artikel | vorheriger artikel | nächster beitrag
  | vorheriger beitrag | inhaltsverzeichnis= | navigation= | menü= | archiv= | siehe auch | aus dem ressort
  | jetzt lesen | kunden kauften auch | zuletzt angesehen
fr: à lire aussi | à lire également | à lire sur | lire aussi | lire également | voir aussi | voir plus | sur le même
  | dans la même | articles similaires | articles liés | articles récents | articles populaires | articles associés
  | article suivant | article précédent | les plus lus | les plus populaires | les plus consultés | le plus lu
  | plus d'articles | plus d'infos | à découvrir | vous aimerez aussi | vous pourriez aussi | ça peut vous intéresser
  | cela peut vous intéresser | nos recommandations | recommandé pour vous | en savoir plus | à la une= | dernières infos
  | derniers articles | dernières actualités | dans l'actualité | sommaire= | table des matières | sujets associés
  | thématiques= | contenus sponsorisés | les clients ont également | produits similaires
es: te puede interesar | te puede gustar | también te puede | puede interesarte | te recomendamos | quizás te interese
  | lea también | lee también | leer más | lee más | leer también | ver también | ver más | vea también | más sobre
  | más noticias | más información | más leídas | más leídos | más leído | lo más leído | las más leídas | lo más visto
  | lo más | noticias relacionadas | artículos relacionados | temas relacionados | contenido relacionado
  | entradas relacionadas | relacionados= | relacionadas= | relacionado= | últimas noticias | últimos artículos
  | noticias recientes | entradas recientes | siguiente noticia | anterior noticia | artículo siguiente
  | artículo anterior | destacados= | además | índice= | en este artículo | archivo= | productos relacionados
it: leggi anche | leggi di più | leggi tutto | potrebbe interessarti | ti potrebbe interessare | ti potrebbero
  | potrebbero interessarti | articoli correlati | articoli simili | articoli recenti | articolo successivo
  | articolo precedente | notizie correlate | i più letti | le più lette | più letti | altre notizie | altri articoli
  | ultime notizie | ultimi articoli | vedi anche | per approfondire | in evidenza= | argomenti= | indice= | consigliati
pt: leia também | leia mais | leia ainda | veja também | veja mais | saiba mais | mais lidas | mais lidos | as mais lidas
  | mais notícias | mais sobre | mais em | notícias relacionadas | artigos relacionados | conteúdo relacionado
  | relacionadas= | relacionados= | últimas notícias | últimas= | artigos recentes | posts recentes | recomendado para
  | recomendados= | você pode gostar | pode interessar | próximo artigo | artigo anterior | índice= | destaques=
nl: lees ook | lees meer | lees verder | bekijk ook | zie ook | meer over | meer nieuws | meer van | meest gelezen
  | gerelateerde artikelen | gerelateerd | ook interessant | anderen lezen ook | laatste nieuws | aanbevolen
  | vergelijkbare | volgende artikel | vorige artikel | inhoudsopgave= | misschien ook interessant | dit vind je
sv: läs mer | läs också | läs även | läs vidare | mer om | mer från | mest läst | mest lästa | relaterade
  | relaterat= | senaste nytt | senaste artiklarna | fler artiklar | se även | rekommenderat | nästa artikel
  | innehåll= | andra läser
no: les også | les mer | les videre | mer om | mer fra | mest lest | mest leste | relaterte | relatert= | siste nytt
  | siste saker | siste nyheter | flere saker | flere artikler | se også | anbefalt | neste artikkel | andre leser
da: læs også | læs mere | læs videre | mere om | mere fra | mest læst | mest læste | relaterede | seneste nyt
  | seneste nyheder | flere artikler | se også | anbefalet | næste artikel
fi: lue myös | lue lisää | lisää aiheesta | luetuimmat | luetuimpia | aiheeseen liittyvää | uusimmat | tuoreimmat
  | katso myös | suosittelemme | seuraava artikkeli | muut lukevat
is: lesa meira | sjá einnig | meira um | tengdar fréttir | tengdar greinar | mest lesið | mest lesnar | nýjustu fréttir
  | fleiri fréttir | sjá meira
pl: czytaj także | czytaj też | czytaj więcej | czytaj również | czytaj dalej | przeczytaj także | przeczytaj też
  | przeczytaj również | zobacz także | zobacz też | zobacz również | sprawdź też | sprawdź również | polecamy
  | polecane | powiązane | podobne artykuły | podobne wpisy | najczęściej czytane | najpopularniejsze | najnowsze
  | ostatnie wpisy | więcej na temat | więcej o | więcej artykułów | warto przeczytać | następny artykuł
  | poprzedni artykuł | spis treści= | może cię zainteresować | tematy=
cs: čtěte také | čtěte dál | čtěte více | přečtěte si | mohlo by vás zajímat | mohlo by se vám líbit | související
  | podobné články | další články | další zprávy | nejčtenější | nejnovější | poslední články | více k tématu
  | více o | doporučujeme | témata= | další článek | předchozí článek | obsah=
sk: čítajte aj | čítajte tiež | čítajte viac | prečítajte si | mohlo by vás zaujímať | súvisiace | podobné články
  | ďalšie články | najčítanejšie | najnovšie | odporúčame | témy= | ďalší článok
sl: preberite tudi | preberite še | berite tudi | sorodne novice | sorodni članki | najbolj brano | najnovejše
  | več o | zadnje novice | priporočamo
hr: pročitajte i | pročitajte još | pročitaj i | pročitaj još | čitajte i | povezani članci | povezane vijesti
  | najčitanije | najnovije | više o | možda će vas zanimati | vezane vijesti | slične vijesti | preporučujemo
sr: прочитајте и | прочитајте још | повезане вести | повезани чланци | најчитаније | најновије | више о
  | можда ће вас занимати | pročitajte i | najčitanije vesti | povezane vesti
hu: olvassa el | olvasd el | olvass tovább | olvasson tovább | tovább olvasom | kapcsolódó | hasonló cikkek
  | további cikkek | további hírek | legolvasottabb | legnépszerűbb | legfrissebb | friss hírek | ajánlott | ajánljuk
  | ez is érdekelheti | érdekelheti | lásd még | tartalomjegyzék=
ro: citește și | citeşte şi | citiți și | citește mai | citeşte mai | vezi și | vezi mai | articole similare
  | articole recente | articole asociate | știri similare | cele mai citite | cele mai noi | ultimele știri
  | ultimele articole | te-ar putea interesa | ar putea să | mai multe despre | recomandări= | articolul următor
bg: прочетете още | прочети още | прочетете и | вижте още | вижте и | още по темата | още от | свързани | най-четени
  | най-нови | последни новини | може да ви хареса | препоръчани | подобни статии
ru: читайте также | читать также | читайте ещё | читать далее | читать ещё | читать дальше | читать полностью
  | смотрите также | смотри также | по теме= | похожие | другие новости | другие материалы | ещё по теме | еще по теме
  | материалы по теме | новости по теме | статьи по теме | самое читаемое | самое популярное | популярное= | популярные
  | последние новости | последние материалы | главные новости | новости партнёров | новости партнеров | лента новостей
  | рекомендуем | вам может | возможно, вас | также по теме | предыдущая | следующая | содержание= | все новости
  | главное= | сейчас на главной | выбор редакции
uk: читайте також | читати також | читати далі | читайте ще | дивіться також | по темі= | за темою= | схожі | інші новини
  | більше новин | ще за темою | найпопулярніше | популярне= | популярні | останні новини | останні матеріали
  | головні новини | новини партнерів | рекомендуємо | стрічка новин | вас може зацікавити | пов'язані | зміст=
lt: skaitykite taip pat | skaityti daugiau | skaitykite daugiau | taip pat skaitykite | susiję straipsniai | susijusios
  | panašūs | skaitomiausi | populiariausi | naujausi | naujausios | daugiau | rekomenduojame
lv: lasi arī | lasiet arī | lasīt vairāk | lasi vairāk | saistītie raksti | saistītās | līdzīgi raksti | lasītākie
  | jaunākie | jaunākās ziņas | vairāk par | iesakām
et: loe ka | loe lisaks | loe edasi | loe veel | seotud artiklid | seotud lood | sarnased | loetumad | enimloetud
  | viimased uudised | uusimad | rohkem | soovitame
el: διαβάστε επίσης | διαβάστε ακόμα | διαβάστε περισσότερα | διαβάστε και | δείτε επίσης | δείτε ακόμα | δείτε και
  | σχετικά άρθρα | σχετικά= | σχετικές ειδήσεις | δημοφιλή | τα πιο δημοφιλή | περισσότερα | τελευταία νέα
  | τελευταίες ειδήσεις | ροή ειδήσεων | προτεινόμενα | επόμενο άρθρο | περιεχόμενα=
tr: ilginizi çekebilir | bunlar da ilginizi | bu haberler de | ilgili haberler | ilgili yazılar | ilgili konular
  | benzer haberler | benzer yazılar | daha fazla | devamını oku | ayrıca bakınız | ayrıca okuyun | en çok okunan
  | çok okunanlar | son haberler | son dakika | popüler | öne çıkan | önerilen | sonraki haber | önceki haber
  | sizin için seçtiklerimiz | içindekiler=
ar: اقرأ أيضا | اقرأ أيضًا | اقرأ أيضاً | إقرأ أيضا | اقرأ المزيد | إقرأ المزيد | اقرأ كذلك | المزيد | شاهد أيضا
  | شاهد أيضًا | مواضيع ذات صلة | مقالات ذات صلة | أخبار ذات صلة | أخبار متعلقة | موضوعات ذات صلة | ذات صلة
  | الأكثر قراءة | الأكثر مشاهدة | الأكثر شعبية | الأكثر تداولا | آخر الأخبار | أحدث الأخبار | أحدث المقالات
  | قد يهمك | قد يعجبك | مقترحات | موصى به | المقال التالي | المقال السابق | اخترنا لك | القائمة=
fa: بیشتر بخوانید | بیشتر ببینید | مطالب مرتبط | اخبار مرتبط | خبرهای مرتبط | مقالات مرتبط | مرتبط= | پربازدیدترین
  | پربیننده ترین | پرخواننده‌ترین | آخرین اخبار | تازه‌ترین | همچنین بخوانید | پیشنهاد | خواندنی‌ها
he: קראו גם | קראו עוד | קרא עוד | קרא גם | עוד בנושא | עוד ב | כתבות נוספות | כתבות קשורות | כתבות אחרונות
  | הנקראות ביותר | הכי נקראות | חדשות אחרונות | אולי יעניין | מומלץ | מומלצים | תוכן עניינים | תפריט=
hi: यह भी पढ़ें | ये भी पढ़ें | यह भी देखें | ये भी देखें | और पढ़ें | और पढ़े | इसे भी पढ़ें | संबंधित | ताज़ा खबरें | ताजा खबरें
  | ताज़ा ख़बरें | लेटेस्ट न्यूज | लोकप्रिय | सबसे ज्यादा पढ़ी | ट्रेंडिंग | अगली खबर | पिछली खबर | आपके लिए
bn: আরও পড়ুন | আরো পড়ুন | আরও দেখুন | আরও খবর | সম্পর্কিত | সর্বশেষ | সর্বাধিক পঠিত | জনপ্রিয় | এ সম্পর্কিত
ta: மேலும் படிக்க | மேலும் செய்திகள் | தொடர்புடைய | சமீபத்திய | இதையும் படிக்க | இதையும் படியுங்கள்
ja: 関連記事 | 関連リンク | 関連キーワード | 関連ニュース | 関連タグ | 関連コンテンツ | 関連トピックス | 関連する | 関連情報
  | 関連商品 | あわせて読みたい | 合わせて読みたい | こちらもおすすめ | こちらの記事も | この記事も | おすすめ | お薦め | オススメ
  | 人気記事 | 人気の記事 | 人気ランキング | アクセスランキング | ランキング= | 記事ランキング | よく読まれ | 最新記事 | 最新ニュース
  | 新着記事 | 新着ニュース | 新着= | 主要ニュース | トップニュース | 注目記事 | 注目の | 注目ニュース | 特集= | もっと読む
  | もっと見る | 続きを読む | 続きを見る | 次の記事 | 前の記事 | 次へ= | 前へ= | ピックアップ | 編集部おすすめ | 目次=
  | メニュー= | 一覧を見る | 一覧へ | この記事を読んだ人 | この商品を | 最近の記事 | 最近の投稿 | カテゴリー= | アーカイブ=
zh: 相关阅读 | 相关新闻 | 相关文章 | 相关推荐 | 相关报道 | 相关内容 | 相关链接 | 相关专题 | 相关话题 | 延伸阅读 | 推荐阅读
  | 猜你喜欢 | 为您推荐 | 为你推荐 | 热门推荐 | 热门文章 | 热门新闻 | 热点新闻 | 热点推荐 | 热门话题 | 热门标签 | 热点=
  | 热门= | 最新文章 | 最新新闻 | 最新消息 | 最新资讯 | 今日热点 | 今日推荐 | 点击排行 | 排行榜 | 新闻排行 | 阅读排行 | 更多
  | 查看更多 | 阅读更多 | 上一篇 | 下一篇 | 编辑推荐 | 精彩推荐 | 大家都在看 | 大家正在看 | 还可以看 | 目录= | 导航= | 图片推荐
  | 相關新聞 | 相關文章 | 相關閱讀 | 相關報導 | 相關連結 | 延伸閱讀 | 推薦閱讀 | 推薦文章 | 猜你喜歡 | 熱門新聞 | 熱門文章
  | 熱門推薦 | 熱門話題 | 最新新聞 | 即時新聞 | 看更多 | 閱讀更多 | 更多新聞 | 你可能也喜歡 | 您可能也想看 | 點擊排行
  | 編輯推薦 | 上一則 | 下一則 | 人氣排行 | 目錄=
ko: 관련기사 | 관련 기사 | 관련 뉴스 | 관련뉴스 | 관련 글 | 관련글 | 관련 키워드 | 관련 콘텐츠 | 함께 읽으면 | 함께 보면 | 이 기사와
  | 추천 기사 | 추천기사 | 추천 뉴스 | 추천뉴스 | 많이 본 | 많이본 | 가장 많이 | 인기 기사 | 인기기사 | 인기 뉴스 | 인기뉴스
  | 최신 기사 | 최신기사 | 최신 뉴스 | 최신뉴스 | 주요 뉴스 | 주요뉴스 | 주요 기사 | 실시간 | 더보기 | 더 보기 | 더 읽기
  | 다음 기사 | 이전 기사 | 다음글 | 이전글 | 오늘의 | 핫뉴스 | 이슈 | 랭킹 뉴스 | 목차= | 메뉴=
th: ข่าวที่เกี่ยวข้อง | บทความที่เกี่ยวข้อง | เรื่องที่เกี่ยวข้อง | ข่าวล่าสุด | บทความล่าสุด | อ่านเพิ่มเติม | อ่านต่อ | อ่านข่าว
  | ดูเพิ่มเติม | ข่าวยอดนิยม | ยอดนิยม | แนะนำ | ข่าวอื่น | เนื้อหาที่เกี่ยวข้อง | คุณอาจสนใจ | สารบัญ= | แท็กที่เกี่ยวข้อง
vi: xem thêm | đọc thêm | đọc tiếp | tin liên quan | bài liên quan | bài viết liên quan | tin cùng chuyên mục
  | cùng chuyên mục | tin khác | tin mới | tin nổi bật | bài viết mới | đọc nhiều | xem nhiều | có thể bạn quan tâm
  | có thể bạn | chủ đề= | mục lục= | bài tiếp theo | bài trước
id: baca juga | baca selengkapnya | baca lainnya | berita terkait | artikel terkait | berita lainnya | artikel lainnya
  | berita terkini | berita terbaru | berita populer | terpopuler | terkini= | terbaru= | lihat juga | lihat semua
  | simak juga | simak selengkapnya | rekomendasi | pilihan editor | topik terkait | selanjutnya= | sebelumnya=
ms: baca lagi | berita berkaitan | artikel berkaitan | artikel lain | berita lain | berita terkini | paling popular
  | lagi berita | anda mungkin
tl: basahin din | basahin pa | kaugnay na | mga kaugnay
sw: soma pia | soma zaidi | habari zinazohusiana | habari nyingine | habari zaidi | taarifa zaidi | inayohusiana
  | iliyosomwa zaidi
ca: llegiu també | llegeix també | més informació= | més notícies | notícies relacionades | articles relacionats
  | el més llegit | et pot interessar
eu: irakurri ere | irakurri gehiago | irakurrienak | lotutako
ka: წაიკითხეთ ასევე | დაკავშირებული | ასევე წაიკითხეთ | უახლესი
hy: կարդացեք նաև | կարդալ ավելին | նմանատիպ
af: lees ook | lees meer | verwante | meer oor | jongste nuus | gewilde
zu: funda futhi | izindaba ezifanayo
"""

_PLEA: Final = """
de: teilen= | artikel teilen | beitrag teilen | auf facebook teilen | jetzt teilen | drucken= | artikel drucken | merken=
  | artikel merken | folgen sie uns | folge uns | newsletter | anmelden | jetzt anmelden | einloggen | registrieren
  | jetzt registrieren | abonnieren | jetzt abonnieren | abo | jetzt abo | anzeige= | werbung= | kostenlos testen
  | jetzt kostenlos | suche= | cookie | wir verwenden cookies | akzeptieren | alle akzeptieren | nach oben
  | zum seitenanfang | zum inhalt | zur startseite | in den warenkorb | kontakt= | link kopieren | app herunterladen
  | mitglied werden | spenden | jetzt spenden | whatsapp-kanal | melden sie sich
fr: partager | partagez | imprimer= | envoyer par | suivez-nous | abonnez-vous | s'abonner | je m'abonne | inscrivez-vous
  | s'inscrire | se connecter | connexion= | connectez-vous | newsletter | publicité= | annonce | recherche= | cookie
  | nous utilisons des cookies | accepter | tout accepter | retour en haut | aller au contenu | ajouter au panier
  | contactez-nous | copier le lien | réservé aux abonnés | recevez | télécharger l'app | créer un compte
es: compartir | comparte | imprimir= | síguenos | siga | suscríbete | suscríbase | suscribirse | regístrate | registrarse
  | iniciar sesión | inicia sesión | acceder= | boletín | newsletter | publicidad= | anuncio= | buscar= | cookie
  | utilizamos cookies | usamos cookies | aceptar | aceptar todo | volver arriba | saltar al | ir al contenido
  | añadir al carrito | agregar al carrito | contacto= | contáctanos | copiar enlace | recibe | únete | descarga la app
it: condividi | stampa= | seguici | iscriviti | abbonati | accedi= | registrati | newsletter | pubblicità= | cerca=
  | cookie | utilizziamo i cookie | accetta | torna su | vai al contenuto | aggiungi al carrello | contatti=
  | copia link | ricevi | scarica l'app | riproduzione riservata
pt: compartilhe | compartilhar | partilhar | partilhe | imprimir= | siga-nos | siga o | siga a | assine | inscreva-se
  | subscreva | cadastre-se | entrar= | iniciar sessão | fazer login | newsletter | publicidade= | anúncio= | pesquisar=
  | buscar= | cookie | usamos cookies | aceitar | voltar ao topo | ir para o conteúdo | adicionar ao carrinho
  | contato= | copiar link | receba | baixe o app | continua após a publicidade
nl: deel dit | delen= | deel via | deel op | print= | volg ons | abonneer | word abonnee | meld je aan | aanmelden
  | inloggen= | log in | registreren= | nieuwsbrief | advertentie= | zoeken= | cookie | accepteren | terug naar boven
  | naar de inhoud | in winkelwagen | contact= | kopieer link
sv: dela= | dela artikeln | skriv ut= | följ oss | prenumerera | logga in | registrera | nyhetsbrev | annons= | reklam=
  | sök= | cookie | acceptera | till toppen | lägg i varukorgen | kontakta oss | kopiera länk | bli prenumerant
no: del= | del artikkel | del på | skriv ut= | følg oss | abonner | bli abonnent | logg inn | registrer | nyhetsbrev
  | annonse | reklame= | søk= | godta | til toppen | legg i handlekurv | kontakt oss | kopier lenke | kjøp abonnement
da: del= | del artiklen | del på | udskriv= | følg os | abonner | bliv abonnent | log ind | tilmeld | nyhedsbrev
  | annonce= | reklame= | søg= | accepter | til toppen | læg i kurv | kontakt os | kopier link
fi: jaa= | jaa artikkeli | tulosta= | seuraa meitä | tilaa= | tilaa uutiskirje | kirjaudu | rekisteröidy | uutiskirje
  | mainos= | haku= | evästeet | hyväksy | takaisin ylös | lisää ostoskoriin | ota yhteyttä | kopioi linkki
is: deila= | deila frétt | prenta= | fylgstu með | áskrift | innskráning | skrá inn | auglýsing= | leita=
pl: udostępnij | podziel się | drukuj= | obserwuj nas | śledź nas | zapisz się | subskrybuj | zaloguj | zarejestruj
  | newsletter | reklama= | szukaj= | cookie | akceptuj | do góry= | przejdź do | dodaj do koszyka | kontakt=
  | kopiuj link | materiał sponsorowany | kup dostęp
cs: sdílet | sdílej | vytisknout= | sledujte nás | odebírat | přihlásit | přihlaste se | registrovat | newsletter
  | reklama= | inzerce= | hledat= | cookie | souhlasím | nahoru= | přidat do košíku | kontakt= | předplatit
sk: zdieľať | zdieľaj | vytlačiť= | sledujte nás | odoberať | prihlásiť | prihláste sa | registrovať | reklama=
  | hľadať= | cookie | súhlasím | hore= | pridať do košíka | kontakt=
sl: deli= | deli na | natisni= | sledite nam | naročite | prijava= | prijavite | oglas= | iskanje=
hr: podijeli | ispiši= | pratite nas | pretplati | prijava= | prijavi se | registriraj | oglas= | traži= | kolačići
sr: подели | штампај= | пратите нас | претплати | пријава= | пријави | podeli | pratite nas | prijavi se | оглас=
hu: megosztás | oszd meg | ossza meg | nyomtatás= | kövess minket | kövessen | feliratkozás | iratkozz | iratkozzon
  | bejelentkezés | regisztráció | hírlevél | hirdetés= | keresés= | süti | elfogadom | vissza a | kosárba | kapcsolat=
ro: distribuie | partajează | tipărește= | printează= | urmărește-ne | urmăriți-ne | abonează-te | abonați-vă
  | autentificare= | conectare= | înregistrare= | newsletter | publicitate= | caută= | cookie | accept | adaugă în coș
  | contact=
bg: споделете | сподели | принтирай= | последвайте ни | абонирайте | вход= | регистрация= | реклама= | търсене=
  | бисквитки | приемам
ru: поделиться | поделись | распечатать= | подписаться | подписывайтесь | подпишитесь | войти= | вход= | авторизуйтесь
  | зарегистрироваться | регистрация= | рассылка | реклама= | на правах рекламы | поиск= | мы используем | принять
  | наверх= | в корзину= | добавить в корзину | контакты= | скопировать ссылку | читайте нас | следите за | присоединяйтесь
uk: поділитися | поділись | поширити | роздрукувати= | підписатися | підписуйтесь | підпишіться | увійти= | вхід=
  | реєстрація= | розсилка | реклама= | пошук= | ми використовуємо | прийняти | вгору= | додати в кошик | контакти=
  | читайте нас | слідкуйте за | приєднуйтесь
lt: dalintis | dalinkitės | spausdinti= | sekite mus | prenumeruok | prisijungti= | prisijunkite | registruotis=
  | naujienlaiškis | reklama= | paieška= | slapukai | sutinku
lv: dalīties | drukāt= | seko mums | sekojiet | abonē | pieslēgties= | reģistrēties= | reklāma= | meklēt= | sīkdatnes
et: jaga= | prindi= | jälgi meid | telli= | logi sisse | registreeru | uudiskiri | reklaam= | otsing= | küpsised
el: κοινοποίηση | μοιραστείτε | εκτύπωση= | ακολουθήστε | εγγραφείτε | εγγραφή= | σύνδεση= | συνδεθείτε | διαφήμιση=
  | αναζήτηση= | αποδοχή | επικοινωνία=
tr: paylaş | yazdır= | takip edin | bizi takip | abone ol | giriş yap | giriş= | kayıt ol | üye ol | bülten | reklam=
  | ara= | çerez | kabul et | yukarı çık | sepete ekle | iletişim= | bağlantıyı kopyala
ar: شارك | مشاركة | اطبع= | طباعة= | تابعنا | تابعونا | اشترك | اشتراك | تسجيل الدخول | تسجيل= | سجل | النشرة | إعلان=
  | اعلان= | بحث= | ملفات تعريف الارتباط | قبول | اتصل بنا | نسخ الرابط | أضف إلى السلة | انضم
fa: اشتراک گذاری | به اشتراک | چاپ= | ما را دنبال | عضویت | ورود= | ثبت نام | خبرنامه | تبلیغات= | جستجو= | کپی لینک
he: שתפו | שתף | הדפסה= | עקבו אחרינו | הירשמו | הרשמה= | התחברות= | התחבר | ניוזלטר | פרסומת= | חיפוש= | צור קשר
hi: शेयर करें | साझा करें | प्रिंट= | हमें फॉलो | फॉलो करें | सब्सक्राइब | लॉगिन | लॉग इन | साइन इन | साइन अप | विज्ञापन= | खोजें=
  | ऐप डाउनलोड | डाउनलोड करें | न्यूजलेटर
bn: শেয়ার করুন | প্রিন্ট= | অনুসরণ করুন | সাবস্ক্রাইব | লগইন | বিজ্ঞাপন= | খুঁজুন=
ja: シェア | ツイート | ポスト= | この記事をシェア | 印刷 | 会員登録 | 新規登録 | 無料会員 | 有料会員 | 会員限定 | ログイン | 会員の方
  | メルマガ | メールマガジン | ニュースレター | フォロー | 購読 | 広告= | 【広告】 | ［広告］ | PR= | 検索= | クッキー | 同意
  | 同意する | ページの先頭 | ページトップ | トップへ | お問い合わせ | スクラップ | メモ入力 | 保存= | 保存する | ブックマーク
  | カートに | リンクをコピー | アプリを | 登録すると | 残り | この記事は有料 | 申し込む | お気に入り | 文字サイズ
zh: 分享 | 打印= | 收藏= | 关注 | 订阅 | 登录 | 请登录 | 注册 | 广告= | 搜索= | 扫一扫 | 扫码 | 返回顶部 | 回到顶部 | 加入购物车
  | 联系我们 | 复制链接 | 下载APP | 下载app | 微信扫 | 字号 | 我要评论 | 分享到 | 列印= | 關注 | 訂閱 | 登入 | 請登入 | 註冊 | 廣告=
  | 搜尋= | 掃描 | 加入購物車 | 聯絡我們 | 複製連結 | 下載app | 加入會員 | 會員
ko: 공유 | 공유하기 | 인쇄 | 프린트 | 스크랩 | 구독 | 구독하기 | 로그인 | 회원가입 | 뉴스레터 | 광고= | 검색= | 쿠키 | 동의
  | 맨 위로 | 위로= | 장바구니 | 문의하기 | 링크 복사 | 주소 복사 | URL 복사 | 팔로우 | 좋아요 | 글자크기 | 글자 크기 | 기사저장
  | 페이스북 | 카카오톡 | 트위터
th: แชร์ | แบ่งปัน | พิมพ์= | ติดตาม | สมัคร | เข้าสู่ระบบ | ลงทะเบียน | โฆษณา= | ค้นหา= | คุกกี้ | ยอมรับ | ติดต่อเรา
vi: chia sẻ | in= | theo dõi | đăng ký | đăng nhập | quảng cáo= | tìm kiếm= | cookie | đồng ý | liên hệ= | sao chép
  | thêm vào giỏ
id: bagikan | share: | cetak= | ikuti kami | ikuti | berlangganan | daftar= | masuk= | login= | iklan= | advertisement
  | cari= | setuju | hubungi kami | salin tautan | gabung
ms: kongsi | cetak= | ikuti kami | langgan | log masuk | daftar= | iklan= | carian=
sw: shiriki= | tufuate | jisajili | ingia= | tangazo=
ca: comparteix | subscriu | inicia sessió | publicitat= | cerca=
af: deel= | volg ons | teken in | advertensie=
"""

_LEGAL: Final = """
de: impressum | datenschutz | alle rechte vorbehalten | nutzungsbedingungen | agb= | allgemeine geschäftsbedingungen
  | haftungsausschluss
fr: mentions légales | politique de confidentialité | confidentialité | tous droits réservés | conditions générales
  | conditions d'utilisation
es: aviso legal | política de privacidad | privacidad= | todos los derechos | términos y condiciones | términos de
  | condiciones de uso
it: note legali | informativa sulla privacy | tutti i diritti | termini e condizioni | condizioni
pt: aviso legal | política de privacidade | privacidade= | todos os direitos | termos de | termos e condições
nl: privacybeleid | privacyverklaring | alle rechten voorbehouden | algemene voorwaarden | gebruiksvoorwaarden
sv: integritetspolicy | alla rättigheter | användarvillkor | personuppgifter
no: personvern | alle rettigheter | brukervilkår | vilkår
da: privatlivspolitik | alle rettigheder | brugervilkår | handelsbetingelser
fi: tietosuoja | kaikki oikeudet | käyttöehdot
pl: polityka prywatności | wszelkie prawa | wszystkie prawa | regulamin=
cs: ochrana osobních údajů | všechna práva | obchodní podmínky | podmínky
sk: ochrana osobných údajov | všetky práva | obchodné podmienky
hr: pravila privatnosti | sva prava | uvjeti korištenja
hu: adatvédelmi | minden jog | felhasználási feltételek | impresszum
ro: politica de confidențialitate | toate drepturile | termeni și condiții
bg: поверителност | всички права | общи условия
ru: политика конфиденциальности | все права | пользовательское соглашение | правила использования
uk: політика конфіденційності | всі права | усі права | правила використання
lt: privatumo politika | visos teisės
lv: privātuma politika | visas tiesības
et: privaatsus | kõik õigused
el: πολιτική απορρήτου | όροι χρήσης | όλα τα δικαιώματα
tr: gizlilik | tüm hakları | kullanım koşulları | kullanım şartları
ar: سياسة الخصوصية | جميع الحقوق | الشروط والأحكام | شروط الاستخدام
fa: حریم خصوصی | تمامی حقوق | کلیه حقوق
he: מדיניות פרטיות | כל הזכויות | תנאי שימוש
hi: गोपनीयता | सर्वाधिकार | नियम और शर्तें
ja: プライバシー | 個人情報 | 利用規約 | 著作権 | 無断転載 | 無断複製 | 特定商取引 | 免責事項 | サイトマップ= | 運営会社
zh: 版权声明 | 版权所有 | 免责声明 | 隐私政策 | 用户协议 | 未经授权 | 未经许可 | 转载请 | 版權聲明 | 版權所有 | 免責聲明 | 隱私權
  | 著作權 | 服務條款 | 未經授權
ko: 저작권자 | 저작권 | 무단전재 | 무단 전재 | 개인정보 | 이용약관 | 청소년보호 | ⓒ
th: นโยบายความเป็นส่วนตัว | สงวนลิขสิทธิ์ | ข้อกำหนด
vi: chính sách | bản quyền | điều khoản
id: kebijakan privasi | hak cipta | syarat dan ketentuan | ketentuan | pedoman media
"""

_COMMENTS: Final = """
de: kommentar schreiben | kommentar verfassen | kommentare= | kommentare ( | kommentieren= | jetzt kommentieren
  | schreiben sie einen kommentar | schreibe einen kommentar | antworten= | diskutieren sie | leserkommentare
fr: commentaires= | commenter= | commentez= | laisser un commentaire | laissez un commentaire | ajouter un commentaire
  | répondre= | réagir= | écrire un commentaire
es: comentarios= | comentar= | deja un comentario | deja tu comentario | deje un comentario | escribe un comentario
  | responder= | ver comentarios
it: commenti= | commento= | commenta= | lascia un commento | scrivi un commento | rispondi=
pt: comentários= | comentar= | deixe um comentário | deixe seu comentário | responder=
nl: reacties= | reageer | reageren= | plaats een reactie | geef een reactie | beantwoorden=
sv: kommentarer= | kommentar= | kommentera= | lämna en kommentar | skriv en kommentar | svara=
no: kommentarer= | kommenter= | legg igjen en kommentar | skriv en kommentar | svar=
da: kommentarer= | skriv en kommentar | svar=
fi: kommentit= | kommenttia= | kommentoi= | jätä kommentti | vastaa=
pl: komentarze= | komentarzy= | komentarz= | komentarze ( | skomentuj= | dodaj komentarz | napisz komentarz | odpowiedz=
cs: komentáře= | komentářů= | diskuse= | diskuze= | přidat komentář | napsat komentář | odpovědět=
sk: komentáre= | diskusia= | pridať komentár | odpovedať=
hr: komentari= | komentara= | ostavi komentar | komentiraj= | odgovori=
hu: hozzászólások= | hozzászólás= | komment= | kommentek= | szólj hozzá | hozzászólás írása | válasz=
ro: comentarii= | lasă un comentariu | adaugă un comentariu | răspunde=
bg: коментари= | коментар= | напиши коментар | отговори=
ru: комментарии= | комментариев= | комментария= | комментарий= | комментарии ( | комментировать= | оставить комментарий | написать комментарий | ответить= | обсудить=
uk: коментарі= | коментарів= | коментар= | коментувати= | залишити коментар | додати коментар | відповісти= | обговорити=
lt: komentarai= | komentuoti= | rašyti komentarą
lv: komentāri= | komentēt= | pievienot komentāru
et: kommentaarid= | kommenteeri= | lisa kommentaar
el: σχόλια= | σχολιάστε= | αφήστε ένα σχόλιο | απάντηση=
tr: yorumlar= | yorum= | yorum yap | yorum yaz | yorum ekle | yanıtla= | cevapla=
ar: تعليقات= | التعليقات= | أضف تعليق | اترك تعليق | اترك رد | رد=
fa: نظرات= | ارسال نظر | نظر شما | دیدگاه | پاسخ=
he: תגובות= | הוסף תגובה | הגב= | השאר תגובה
hi: टिप्पणियां= | टिप्पणी करें | कमेंट= | कमेंट करें | जवाब दें=
ja: コメント= | コメントを書く | コメントする | コメント欄 | コメント投稿 | コメントを残す | 返信= | 返信する | みんなのコメント
zh: 评论= | 评论( | 评论（ | 网友评论 | 发表评论 | 热门评论 | 全部评论 | 写评论 | 我来说两句 | 回复= | 評論= | 發表評論 | 留言=
  | 留言板 | 我要留言 | 回覆=
ko: 댓글 | 답글= | 의견쓰기 | 전체 댓글
th: ความคิดเห็น= | แสดงความคิดเห็น | ตอบกลับ=
vi: bình luận= | ý kiến= | gửi bình luận | trả lời=
id: komentar= | tulis komentar | tinggalkan komentar | balas=
"""

_BYLINE: Final = """
de: über den autor | über die autorin | von der redaktion | veröffentlicht | aktualisiert | zuletzt aktualisiert | stand:
  | autor: | autorin: | schlagworte= | schlagwörter | stichwörter | quelle: | lesezeit | lesedauer
fr: à propos de l'auteur | publié le | publié par | mis à jour | modifié le | par notre | rédigé par | auteur: | source:
  | mots-clés | temps de lecture | lecture
es: sobre el autor | publicado | actualizado | actualizada | última actualización | por redacción | escrito por | autor:
  | etiquetas= | etiquetas: | temas: | fuente: | tiempo de lectura
it: pubblicato | aggiornato | ultimo aggiornamento | di redazione | a cura di | scritto da | autore: | tag= | fonte:
  | tempo di lettura
pt: publicado | atualizado | última atualização | por redação | escrito por | autor: | tags= | fonte: | tempo de leitura
nl: over de auteur | gepubliceerd | bijgewerkt | laatst bijgewerkt | door redactie | geschreven door | leestijd | bron:
sv: publicerad | uppdaterad | text: | foto: | författare | ämnen=
no: publisert | oppdatert | sist oppdatert | skrevet av | foto: | emner=
da: publiceret | offentliggjort | opdateret | skrevet af | foto: | emner=
fi: julkaistu | päivitetty | kirjoittaja | avainsanat | teksti:
pl: opublikowano | aktualizacja | zaktualizowano | autor: | źródło: | tagi= | data publikacji
cs: publikováno | aktualizováno | autor: | zdroj: | štítky= | vydáno
sk: publikované | aktualizované | autor: | zdroj:
hr: objavljeno | ažurirano | autor: | izvor: | tagovi=
hu: megjelent | frissítve | szerző: | forrás: | címkék
ro: publicat | actualizat | autor: | sursa: | etichete
bg: публикувано | обновено | автор: | източник: | етикети
ru: опубликовано | обновлено | автор: | источник: | теги= | теги: | время чтения | фото:
uk: опубліковано | оновлено | автор: | джерело: | теги= | теги: | фото:
lt: paskelbta | atnaujinta | autorius | šaltinis
lv: publicēts | atjaunots | autors | avots
et: avaldatud | uuendatud | autor: | allikas
el: δημοσιεύτηκε | δημοσιεύθηκε | ενημερώθηκε | τελευταία ενημέρωση | συντάκτης | πηγή:
tr: yayınlanma | yayınlandı | güncelleme | güncellenme | son güncelleme | yazar: | kaynak: | etiketler
ar: نشر في | نشرت في | آخر تحديث | تم النشر | تاريخ النشر | كتب: | كتبت: | بقلم | المصدر: | الوسوم | كلمات مفتاحية
fa: منتشر شده | تاریخ انتشار | به روز | نویسنده | منبع: | برچسب
he: פורסם | עודכן | מאת | תגיות
hi: प्रकाशित | अपडेटेड | अपडेट | लेखक | स्रोत: | टैग | द्वारा
ja: 公開日 | 更新日 | 最終更新 | 投稿日 | 掲載日 | 配信 | 執筆 | 文= | 文・ | 著者 | 筆者 | この記事を書いた | 執筆者 | 取材・文
  | 写真= | 写真： | タグ= | タグ： | キーワード=
zh: 来源 | 来源： | 作者 | 责任编辑 | 编辑： | 编辑: | 责编 | 记者 | 发布时间 | 发布日期 | 发布于 | 更新时间 | 标签 | 关键词 | 來源
  | 責任編輯 | 編輯： | 記者 | 發布時間 | 發佈 | 更新時間 | 標籤 | 關鍵字
ko: 입력 | 수정 | 등록 | 승인 | 업데이트 | 기자= | 기사입력 | 최종수정 | 송고시간 | 작성자 | 출처 | 태그
th: เผยแพร่ | อัปเดต | ผู้เขียน | โดย | ที่มา
vi: đăng ngày | cập nhật | tác giả | nguồn: | từ khóa | theo= | tags=
id: diterbitkan | dipublikasikan | diperbarui | penulis: | penulis | editor: | editor= | reporter | sumber: | tag=
"""

_RELATIVE_DATE: Final = """
de: vor # | gestern | heute,
fr: il y a # | hier à
es: hace # | ayer
it: # ore fa | # minuti fa | # giorni fa | # mesi fa
pt: há # | # horas atrás | # dias atrás | # minutos atrás
nl: # uur geleden | # minuten geleden | # dagen geleden
sv: # timmar sedan | # minuter sedan | # dagar sedan | för # timmar
no: # timer siden | # minutter siden | # dager siden | for # timer
pl: # godzin temu | # godziny temu | # minut temu | # dni temu
cs: před #
ru: # часов назад | # часа назад | # минут назад | # дней назад | # дня назад
uk: # годин тому | # години тому | # хвилин тому | # днів тому
tr: # saat önce | # dakika önce | # gün önce
ar: منذ # | قبل #
he: לפני #
hi: # घंटे पहले | # मिनट पहले | # दिन पहले
ja: #時間前 | #分前 | #日前 | #年# | #月#
zh: #小时前 | #分钟前 | #天前 | #小時前 | #分鐘前 | #年# | #月#
ko: #시간 전 | #분 전 | #일 전 | #시간전 | #분전 | #일전 | #년 #
vi: # giờ trước | # phút trước | # ngày trước
id: # jam lalu | # menit lalu | # hari lalu | # jam yang lalu | # menit yang lalu | # hari yang lalu
el: πριν από # | πριν #
hu: # órája | # perce | # napja
ro: acum #
fi: # tuntia sitten | # minuuttia sitten | # päivää sitten
"""

_SOURCES: Final = {
    "section": _SECTION,
    "plea": _PLEA,
    "legal": _LEGAL,
    "comments": _COMMENTS,
    "byline": _BYLINE,
    "date": _RELATIVE_DATE,
}
_KEY_CHARS: Final = 2
_LEADING: Final = lazy_pattern(r"[\W_]{1,20}")
_TRAILING: Final = " :.\u00b7|#()>\u00bb\u203a\u2026"
_NUMBER: Final = lazy_pattern(r"\d{1,9}")
_UNSPACED: Final = lazy_pattern("[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""The last character of a phrase after which no space has to follow."""


def _phrases() -> dict[str, list[tuple[str, str]]]:
    """Return the phrases with their categories by their first characters, the longest first."""
    phrases: dict[str, list[tuple[str, str]]] = {}
    for category, source in _SOURCES.items():
        folded = unicodedata.normalize("NFC", source.lower())
        lines = [line[3:] if line[2:3] == ":" else line for line in folded.splitlines()]
        for phrase in map(str.strip, "|".join(lines).split("|")):
            if phrase:
                phrases.setdefault(phrase[:_KEY_CHARS].rstrip("="), []).append((phrase, category))
    for same_start in phrases.values():
        same_start.sort(key=lambda entry: -len(entry[0]))
    return phrases


_PHRASES: Final = _phrases()


def line_category(text: str) -> str:
    """Return the purpose of a short line in a language other than English: a name in `lexicon.LINES`, or "".

    Marks before the first word are ignored. Numbers are compared as `#`, and one before `Kommentare` is ignored, too.
    """
    folded = text.lower()
    if not folded.isascii():
        folded = unicodedata.normalize("NFC", folded)
    if not folded[:1].isalnum():
        leading = _LEADING.match(folded)
        folded = folded[leading.end() :] if leading else folded
    numbered = _NUMBER.sub("#", folded)
    category = _category(numbered)
    if not category and numbered[:1] == "#":
        counted = _category(numbered.lstrip("# "))
        return counted if counted == "comments" else ""
    return category


def _category(line: str) -> str:
    for phrase, category in _PHRASES.get(line[:_KEY_CHARS], ()):
        if phrase[-1] == "=":
            if line.rstrip(_TRAILING) == phrase[:-1]:
                return category
        elif line.startswith(phrase) and _ends_word(phrase, line):
            return category
    return ""


def _ends_word(phrase: str, text: str) -> bool:
    """Tell whether a phrase at the start of a text ends where a word does."""
    follows = text[len(phrase) : len(phrase) + 1]
    last = phrase[-1]
    return not follows.isalnum() or not last.isalnum() or (not last.isascii() and _UNSPACED.match(last) is not None)
