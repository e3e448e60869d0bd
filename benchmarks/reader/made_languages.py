"""Words of 38 languages in 17 scripts, of which `made_news.py` makes news pages.

Sentences are rows of words: the networks see lengths, punctuation and places, and of words only how a block begins.
"""

from __future__ import annotations

from typing import Final, NamedTuple

LABELS: Final = (
    "related", "also", "ranking", "newsletter", "share", "comments", "paywall", "credit", "by", "advert", "tags",
    "updated",
)  # fmt: skip
"""What each language's labels are for, in the order in which they are written below."""


class Language(NamedTuple):
    """What the pages of one language are made of."""

    code: str
    words: tuple[str, ...]
    labels: dict[str, str]
    space: str
    """What stands between words."""
    comma: str
    stop: str
    quotes: tuple[str, str]


_SPACED: Final = {
    "en": "the government said on Monday that prices would rise after years of slow growth while many families in northern towns wait for new houses and better schools according to officials who asked not to be named"
    "|Related stories|Read also|Most read|Get our morning briefing in your inbox|Share this story|Comments|This story is for subscribers only|Photo: agency|By|Advertisement|Topics|Last updated",
    "de": "die Regierung hat am Montag beschlossen dass viele Städte mehr Geld für neue Schulen und Straßen bekommen obwohl der Haushalt bereits unter Druck steht sagte ein Sprecher des Ministeriums in Berlin nach langen Gesprächen mit den Ländern"
    "|Mehr zum Thema|Lesen Sie auch|Meistgelesen|Unser Newsletter jeden Morgen in Ihrem Postfach|Artikel teilen|Kommentare|Weiterlesen mit Abo|Foto: Agentur|Von|Anzeige|Themen|Zuletzt aktualisiert",
    "fr": "le gouvernement a annoncé lundi que les prix devraient encore augmenter dans plusieurs régions malgré les efforts des élus locaux selon une source proche du dossier qui évoque une situation difficile pour des milliers de familles"
    "|Sur le même sujet|À lire aussi|Les plus lus|Recevez chaque matin notre lettre|Partager|Commentaires|Article réservé aux abonnés|Crédit photo : agence|Par|Publicité|Thèmes|Mis à jour le",
    "es": "el gobierno anunció el lunes que los precios podrían subir otra vez en varias ciudades del norte donde miles de vecinos esperan desde hace años una respuesta según fuentes cercanas al ministerio que pidieron no ser citadas"
    "|Noticias relacionadas|Lea también|Lo más leído|Suscríbase a nuestro boletín|Compartir|Comentarios|Contenido exclusivo para suscriptores|Foto: agencia|Por|Publicidad|Temas|Actualizado",
    "it": "il governo ha detto lunedì che i prezzi potrebbero salire ancora nelle regioni del sud dove molte famiglie aspettano da anni nuove case e scuole migliori secondo fonti vicine al ministero che chiedono più tempo"
    "|Articoli correlati|Leggi anche|I più letti|Iscriviti alla newsletter|Condividi|Commenti|Riservato agli abbonati|Foto: agenzia|Di|Pubblicità|Argomenti|Aggiornato",
    "pt": "o governo disse na segunda que os preços devem subir de novo em várias cidades do interior onde milhares de famílias esperam há anos por casas novas e escolas melhores segundo fontes do ministério que pediram sigilo"
    "|Notícias relacionadas|Leia também|Mais lidas|Receba nossa newsletter|Compartilhe|Comentários|Conteúdo exclusivo para assinantes|Foto: agência|Por|Publicidade|Tópicos|Atualizado em",
    "nl": "de regering heeft maandag besloten dat veel gemeenten meer geld krijgen voor nieuwe scholen en wegen terwijl de begroting al onder druk staat zei een woordvoerder van het ministerie na lange gesprekken met de provincies"
    "|Meer over dit onderwerp|Lees ook|Meest gelezen|Ontvang onze nieuwsbrief|Deel dit artikel|Reacties|Alleen voor abonnees|Foto: persbureau|Door|Advertentie|Onderwerpen|Laatst bijgewerkt",
    "sv": "regeringen beslutade i måndags att flera kommuner ska få mer pengar till nya skolor och vägar trots att budgeten redan är hårt pressad sade en talesperson efter långa samtal med regionerna som väntat i flera år"
    "|Relaterade artiklar|Läs också|Mest läst|Få vårt nyhetsbrev|Dela artikeln|Kommentarer|Endast för prenumeranter|Foto: byrå|Av|Annons|Ämnen|Uppdaterad",
    "pl": "rząd ogłosił w poniedziałek że ceny mogą znowu wzrosnąć w wielu miastach na północy gdzie tysiące rodzin od lat czeka na nowe mieszkania i lepsze szkoły jak podają źródła zbliżone do ministerstwa"
    "|Powiązane artykuły|Czytaj także|Najczęściej czytane|Zapisz się na newsletter|Udostępnij|Komentarze|Treść tylko dla prenumeratorów|Fot. agencja|Autor|Reklama|Tematy|Aktualizacja",
    "cs": "vláda v pondělí oznámila že ceny mohou znovu růst v řadě měst na severu kde tisíce rodin už roky čekají na nové byty a lepší školy uvedl mluvčí ministerstva po dlouhém jednání s kraji"
    "|Související články|Čtěte také|Nejčtenější|Odebírejte náš newsletter|Sdílet|Diskuse|Pouze pro předplatitele|Foto: agentura|Autor|Reklama|Témata|Aktualizováno",
    "hu": "a kormány hétfőn bejelentette hogy az árak ismét emelkedhetnek több északi városban ahol családok ezrei évek óta várnak új lakásokra és jobb iskolákra közölte a minisztérium szóvivője hosszú tárgyalások után"
    "|Kapcsolódó cikkek|Olvassa el ezt is|Legolvasottabb|Iratkozzon fel hírlevelünkre|Megosztás|Hozzászólások|Csak előfizetőknek|Fotó: ügynökség|Írta|Hirdetés|Témák|Frissítve",
    "ro": "guvernul a anunțat luni că prețurile ar putea crește din nou în mai multe orașe din nord unde mii de familii așteaptă de ani de zile locuințe noi și școli mai bune potrivit unor surse din minister"
    "|Articole similare|Citește și|Cele mai citite|Abonează-te la newsletter|Distribuie|Comentarii|Doar pentru abonați|Foto: agenție|De|Publicitate|Subiecte|Actualizat",
    "tr": "hükümet pazartesi günü fiyatların kuzeydeki birçok kentte yeniden artabileceğini açıkladı binlerce aile yıllardır yeni konut ve daha iyi okul bekliyor bakanlık sözcüsü uzun görüşmelerin ardından konuştu"
    "|İlgili haberler|Bunu da okuyun|En çok okunanlar|Bültenimize abone olun|Paylaş|Yorumlar|Yalnızca aboneler için|Fotoğraf: ajans|Yazan|Reklam|Konular|Güncelleme",
    "fi": "hallitus kertoi maanantaina että hinnat voivat nousta taas monessa pohjoisen kaupungissa jossa tuhannet perheet ovat odottaneet vuosia uusia asuntoja ja parempia kouluja ministeriön edustaja sanoi pitkien neuvottelujen jälkeen"
    "|Aiheeseen liittyvää|Lue myös|Luetuimmat|Tilaa uutiskirje|Jaa|Kommentit|Vain tilaajille|Kuva: toimisto|Teksti|Mainos|Aiheet|Päivitetty",
    "vi": "chính phủ hôm thứ hai cho biết giá cả có thể tăng trở lại ở nhiều thành phố phía bắc nơi hàng nghìn gia đình đã chờ nhà mới và trường học tốt hơn trong nhiều năm theo một nguồn tin gần với bộ"
    "|Tin liên quan|Xem thêm|Đọc nhiều nhất|Đăng ký nhận bản tin|Chia sẻ|Bình luận|Chỉ dành cho thuê bao|Ảnh: thông tấn xã|Theo|Quảng cáo|Chủ đề|Cập nhật",
    "id": "pemerintah mengatakan pada hari senin bahwa harga dapat naik lagi di beberapa kota di utara tempat ribuan keluarga menunggu rumah baru dan sekolah yang lebih baik selama bertahun menurut sumber yang dekat dengan kementerian"
    "|Berita terkait|Baca juga|Terpopuler|Langganan buletin kami|Bagikan|Komentar|Khusus pelanggan|Foto: kantor berita|Oleh|Iklan|Topik|Diperbarui",
    "sw": "serikali ilisema jumatatu kwamba bei zinaweza kupanda tena katika miji mingi ya kaskazini ambako maelfu ya familia zimesubiri nyumba mpya na shule bora kwa miaka kulingana na vyanzo vya wizara"
    "|Habari zinazohusiana|Soma pia|Zilizosomwa zaidi|Jiunge na jarida letu|Shiriki|Maoni|Kwa wanachama pekee|Picha: shirika|Na|Tangazo|Mada|Ilisasishwa",
    "ru": "правительство сообщило в понедельник что цены могут снова вырасти во многих городах севера где тысячи семей годами ждут новые квартиры и хорошие школы рассказал представитель министерства после долгих переговоров"
    "|Материалы по теме|Читайте также|Самое читаемое|Подпишитесь на рассылку|Поделиться|Комментарии|Только для подписчиков|Фото: агентство|Автор|Реклама|Теги|Обновлено",
    "uk": "уряд повідомив у понеділок що ціни можуть знову зрости у багатьох містах півночі де тисячі родин роками чекають на нові квартири та кращі школи розповів речник міністерства після довгих переговорів"
    "|Матеріали за темою|Читайте також|Найпопулярніше|Підпишіться на розсилку|Поділитися|Коментарі|Лише для передплатників|Фото: агенція|Автор|Реклама|Теги|Оновлено",
    "bg": "правителството обяви в понеделник че цените може отново да се повишат в много градове на север където хиляди семейства от години чакат нови жилища и по-добри училища каза говорител на министерството"
    "|Свързани новини|Прочетете още|Най-четени|Абонирайте се за бюлетина|Сподели|Коментари|Само за абонати|Снимка: агенция|От|Реклама|Теми|Обновена",
    "el": "η κυβέρνηση ανακοίνωσε τη δευτέρα ότι οι τιμές μπορεί να αυξηθούν ξανά σε πολλές πόλεις του βορρά όπου χιλιάδες οικογένειες περιμένουν χρόνια νέα σπίτια και καλύτερα σχολεία είπε εκπρόσωπος του υπουργείου"
    "|Σχετικά άρθρα|Διαβάστε επίσης|Δημοφιλή|Εγγραφείτε στο ενημερωτικό δελτίο|Κοινοποίηση|Σχόλια|Μόνο για συνδρομητές|Φωτογραφία: πρακτορείο|Του|Διαφήμιση|Ετικέτες|Ενημέρωση",
    "hy": "կառավարությունը երկուշաբթի հայտնեց որ գները կարող են կրկին աճել հյուսիսի բազմաթիվ քաղաքներում որտեղ հազարավոր ընտանիքներ տարիներ շարունակ սպասում են նոր բնակարանների և լավ դպրոցների"
    "|Առնչվող նյութեր|Կարդացեք նաև|Ամենաընթերցված|Բաժանորդագրվեք|Կիսվել|Մեկնաբանություններ|Միայն բաժանորդների համար|Լուսանկարը՝ գործակալություն|Հեղինակ|Գովազդ|Թեմաներ|Թարմացվել է",
    "ka": "მთავრობამ ორშაბათს განაცხადა რომ ფასები შეიძლება კვლავ გაიზარდოს ჩრდილოეთის მრავალ ქალაქში სადაც ათასობით ოჯახი წლებია ელოდება ახალ ბინებს და უკეთეს სკოლებს სამინისტროს წარმომადგენელმა თქვა"
    "|მსგავსი სიახლეები|წაიკითხეთ ასევე|ყველაზე კითხვადი|გამოიწერეთ სიახლეები|გაზიარება|კომენტარები|მხოლოდ აბონენტებისთვის|ფოტო: სააგენტო|ავტორი|რეკლამა|თემები|განახლდა",
    "he": "הממשלה הודיעה ביום שני כי המחירים עשויים לעלות שוב בערים רבות בצפון שבהן אלפי משפחות ממתינות שנים לדירות חדשות ולבתי ספר טובים יותר אמר דובר המשרד לאחר שיחות ארוכות"
    "|כתבות נוספות|קראו גם|הנקראות ביותר|הירשמו לניוזלטר|שתפו|תגובות|למנויים בלבד|צילום: סוכנות|מאת|פרסומת|תגיות|עודכן",
    "ar": "قالت الحكومة يوم الاثنين إن الأسعار قد ترتفع مرة أخرى في مدن كثيرة في الشمال حيث تنتظر آلاف الأسر منذ سنوات مساكن جديدة ومدارس أفضل بحسب مصادر قريبة من الوزارة بعد محادثات طويلة"
    "|مواضيع ذات صلة|اقرأ أيضا|الأكثر قراءة|اشترك في نشرتنا|شارك|تعليقات|للمشتركين فقط|تصوير: وكالة|بقلم|إعلان|وسوم|آخر تحديث",
    "fa": "دولت روز دوشنبه اعلام کرد که قیمت‌ها ممکن است دوباره در بسیاری از شهرهای شمال افزایش یابد جایی که هزاران خانواده سال‌هاست در انتظار خانه‌های نو و مدارس بهتر هستند سخنگوی وزارت گفت"
    "|اخبار مرتبط|بیشتر بخوانید|پربازدیدترین|عضویت در خبرنامه|اشتراک‌گذاری|نظرات|ویژه مشترکان|عکس: خبرگزاری|نویسنده|تبلیغات|برچسب‌ها|به‌روزرسانی",
    "ur": "حکومت نے پیر کو بتایا کہ شمال کے کئی شہروں میں قیمتیں دوبارہ بڑھ سکتی ہیں جہاں ہزاروں خاندان برسوں سے نئے گھروں اور بہتر سکولوں کا انتظار کر رہے ہیں وزارت کے ترجمان نے کہا"
    "|متعلقہ خبریں|یہ بھی پڑھیں|سب سے زیادہ پڑھی گئی|نیوز لیٹر حاصل کریں|شیئر کریں|تبصرے|صرف سبسکرائبرز کے لیے|تصویر: ایجنسی|تحریر|اشتہار|موضوعات|تازہ کاری",
    "hi": "सरकार ने सोमवार को कहा कि उत्तर के कई शहरों में दाम फिर बढ़ सकते हैं जहां हजारों परिवार सालों से नए घरों और बेहतर स्कूलों का इंतजार कर रहे हैं मंत्रालय के प्रवक्ता ने बताया"
    "|संबंधित खबरें|यह भी पढ़ें|सबसे ज्यादा पढ़ी गई|हमारा न्यूज़लेटर पाएं|शेयर करें|टिप्पणियां|केवल सदस्यों के लिए|फोटो: एजेंसी|लेखक|विज्ञापन|टैग|अपडेट",
    "bn": "সরকার সোমবার জানিয়েছে যে উত্তরের অনেক শহরে দাম আবার বাড়তে পারে যেখানে হাজার হাজার পরিবার বছরের পর বছর নতুন ঘর ও ভালো স্কুলের অপেক্ষায় আছে মন্ত্রণালয়ের মুখপাত্র বলেন"
    "|সম্পর্কিত খবর|আরও পড়ুন|সর্বাধিক পঠিত|আমাদের নিউজলেটার পান|শেয়ার করুন|মন্তব্য|শুধু গ্রাহকদের জন্য|ছবি: সংস্থা|লেখক|বিজ্ঞাপন|বিষয়|হালনাগাদ",
    "ta": "அரசு திங்கட்கிழமை வடக்கில் உள்ள பல நகரங்களில் விலைகள் மீண்டும் உயரலாம் என்று கூறியது ஆயிரக்கணக்கான குடும்பங்கள் ஆண்டுகளாக புதிய வீடுகள் மற்றும் சிறந்த பள்ளிகளுக்காக காத்திருக்கின்றன"
    "|தொடர்புடைய செய்திகள்|இதையும் படிக்க|அதிகம் படித்தவை|செய்திமடலைப் பெறுங்கள்|பகிர்|கருத்துகள்|சந்தாதாரர்களுக்கு மட்டும்|படம்: நிறுவனம்|எழுதியவர்|விளம்பரம்|குறிச்சொற்கள்|புதுப்பிப்பு",
    "te": "ప్రభుత్వం సోమవారం ఉత్తరాన ఉన్న అనేక నగరాల్లో ధరలు మళ్లీ పెరగవచ్చని తెలిపింది వేలాది కుటుంబాలు ఏళ్లుగా కొత్త ఇళ్లు మంచి పాఠశాలల కోసం ఎదురుచూస్తున్నాయి మంత్రిత్వ శాఖ ప్రతినిధి చెప్పారు"
    "|సంబంధిత వార్తలు|ఇది కూడా చదవండి|ఎక్కువ చదివినవి|వార్తాలేఖ పొందండి|షేర్ చేయండి|వ్యాఖ్యలు|చందాదారులకు మాత్రమే|ఫోటో: సంస్థ|రచయిత|ప్రకటన|అంశాలు|నవీకరణ",
    "am": "መንግሥት ሰኞ ዕለት በሰሜን በሚገኙ ብዙ ከተሞች ዋጋ እንደገና ሊጨምር እንደሚችል አስታወቀ በሺዎች የሚቆጠሩ ቤተሰቦች ለዓመታት አዲስ ቤቶችን እና የተሻሉ ትምህርት ቤቶችን እየጠበቁ ነው"
    "|ተዛማጅ ዜናዎች|ይህንንም ያንብቡ|ብዙ የተነበቡ|ለዜና መጽሔታችን ይመዝገቡ|አጋራ|አስተያየቶች|ለደንበኞች ብቻ|ፎቶ፦ ድርጅት|በ|ማስታወቂያ|ርዕሶች|የተሻሻለ",
    "ko": "정부는 월요일 북부 여러 도시에서 물가가 다시 오를 수 있다고 발표했다 수천 가구가 오랫동안 새집과 더 나은 학교를 기다리고 있으며 부처 대변인은 긴 협의 끝에 이렇게 설명했다"
    "|관련기사|이것도 읽어보세요|인기 뉴스|뉴스레터 구독하기|공유|댓글|구독자 전용 콘텐츠입니다|사진=뉴스통신|글|광고|태그|최종 수정",
}
_UNSPACED: Final = {
    "ja": "政府 は 月曜 に 北部 の 多く の 町 で 物価 が 再び 上がる 可能性 を 発表した 何千 も の 家庭 が 長年 新しい 住宅 と 学校 を 待って いる 報道官 によると 協議 は 続く 見込み だ とみられる コスト ビル"
    "|関連記事|こちらもおすすめ|よく読まれている記事|メールマガジンに登録する|シェアする|コメント|続きは会員登録してご覧ください|写真＝通信社|文|広告|タグ|最終更新",
    "zh": "本周 一 当局 宣布 北方 许多 城市 物价 可能 再次 上涨 数千 家庭 多年 以来 一直 等待 新房 和 更好 学校 发言人 经过 长时间 磋商 后 说明 情况 仍 不 确定 将 继续 观察 市场"
    "|相关新闻|推荐阅读|热门文章|订阅我们的电子报|分享|评论|本文仅供会员阅读|图片来源：通讯社|文|广告|标签|更新时间",
    "th": "รัฐบาล แถลง เมื่อ วันจันทร์ ว่า ราคา สินค้า อาจ ปรับ ขึ้น อีก ครั้ง ใน หลาย เมือง ทาง ภาคเหนือ ที่ ครอบครัว หลาย พัน รอ บ้าน ใหม่ และ โรงเรียน ที่ ดี กว่า มา นาน โฆษก กระทรวง กล่าว"
    "|ข่าวที่เกี่ยวข้อง|อ่านเพิ่มเติม|ข่าวยอดนิยม|สมัครรับจดหมายข่าว|แชร์|ความคิดเห็น|เฉพาะสมาชิกเท่านั้น|ภาพ: สำนักข่าว|โดย|โฆษณา|แท็ก|อัปเดตล่าสุด",
    "km": "រដ្ឋាភិបាល បាន ប្រកាស នៅ ថ្ងៃចន្ទ ថា តម្លៃ អាច ឡើង ម្តងទៀត នៅ ទីក្រុង ជាច្រើន ភាគខាងជើង ដែល គ្រួសារ រាប់ពាន់ កំពុង រង់ចាំ ផ្ទះ ថ្មី និង សាលារៀន ល្អ"
    "|ព័ត៌មានពាក់ព័ន្ធ|អានបន្ថែម|អានច្រើនបំផុត|ចុះឈ្មោះទទួលព័ត៌មាន|ចែករំលែក|មតិយោបល់|សម្រាប់សមាជិកប៉ុណ្ណោះ|រូបភាព៖ ទីភ្នាក់ងារ|ដោយ|ការផ្សាយពាណិជ្ជកម្ម|ស្លាក|ធ្វើបច្ចុប្បន្នភាព",
    "my": "အစိုးရက တနင်္လာနေ့ တွင် မြောက်ပိုင်း မြို့များ ၌ ဈေးနှုန်း ထပ်မံ မြင့်တက် နိုင်သည် ဟု ပြောသည် မိသားစု ထောင်ပေါင်းများစွာ သည် အိမ်သစ် နှင့် ကျောင်း ကို စောင့်ဆိုင်း"
    "|ဆက်စပ်သတင်းများ|ဆက်ဖတ်ရန်|ဖတ်ရှုမှုအများဆုံး|သတင်းလွှာရယူပါ|မျှဝေပါ|မှတ်ချက်များ|အသင်းဝင်များအတွက်သာ|ဓာတ်ပုံ - သတင်းဌာန|ရေးသားသူ|ကြော်ငြာ|အမှတ်အသား|နောက်ဆုံးပြင်ဆင်",
}
_MARKS: Final = {
    "ja": "、 。 「 」", "zh": "， 。 “ ”", "hi": ", । “ ”", "bn": ", । “ ”", "ar": "، . « »", "fa": "، . « »",
    "ur": "، ۔ “ ”", "am": "፣ ። « »", "hy": ", ։ « »", "my": "၊ ။ “ ”", "km": ", ។ « »", "fr": ", . « »",
    "ru": ", . « »", "uk": ", . « »", "el": ", . « »", "de": ", . „ “", "pl": ", . „ ”", "th": ", \u200b “ ”",
}  # fmt: skip
"""Comma, stop and quotation marks, where they are not those of English. Thai ends a sentence with a space."""


def _language(code: str, source: str, space: str) -> Language:
    words, *labels = source.split("|")
    comma, stop, *quotes = _MARKS.get(code, ", . “ ”").split(" ")
    named = dict(zip(LABELS, labels, strict=True))
    return Language(code, tuple(words.split()), named, space, comma, stop, (quotes[0], quotes[1]))


LANGUAGES: Final = (
    *(_language(code, source, " ") for code, source in _SPACED.items()),
    *(_language(code, source, "") for code, source in _UNSPACED.items()),
)
