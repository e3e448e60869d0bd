"""Catches a reply that says something was saved, sent or scheduled when nothing was: what was done has a receipt.

A reply passes without a remark only if it is in a language known here and has none of that language's words for deeds
done. Everything else (another language, a few words, numbers) gets the remark, which is true in any case. So the check
errs towards saying once too often that nothing was changed.
"""

from __future__ import annotations

import re
from typing import NamedTuple

NOTHING_DONE = "Nothing was saved, sent or changed in this turn."


class _Language(NamedTuple):
    common: frozenset[str]
    """Words that nearly every sentence has."""
    deeds: re.Pattern[str]
    """Beginnings of words that tell of a deed done."""


def _language(common: str, deeds: str) -> _Language:
    return _Language(frozenset(common.split()), re.compile(rf"(?<![^\W_])(?:{'|'.join(deeds.split())})", re.IGNORECASE))


_LANGUAGES = (
    _language(
        "the is are was of to in and that it for on with you as this be not or have from a an what can your at by its",
        "saved sav(?:ed|ing) stor(?:ed|ing) sent sending schedul(?:ed|ing) creat(?:ed|ing) delet(?:ed|ing) added adding"
        " updated remov(?:ed|ing) remember(?:ed)?\\b not(?:ed|ing)\\b wrote written book(?:ed|ing) set\\b cancel+ed"
        " ran\\b executed posted submitted e?-?mailed messaged done\\b completed? moved renamed changed recorded logged"
        " reminder remind ordered paid bought filed forwarded replied published uploaded installed arranged placed"
        " finished put\\b made\\b kept keep jotted dispatched took\\b taken archived shared invited signed",
    ),
    _language(
        "der die das ist sind und in zu den von mit ist nicht ein eine für auf dem des sich es ich sie im wird auch als",
        "gespeichert gesichert gesendet gesandt geschickt verschickt versendet geplant eingeplant angelegt erstellt"
        " gelöscht hinzugefügt aktualisiert entfernt gemerkt notiert geschrieben gebucht gesetzt eingerichtet eingetragen"
        " abgesagt storniert ausgeführt erledigt vermerkt abgelegt geändert verschoben fertig bestellt bezahlt"
        " weitergeleitet beantwortet vorgemerkt aufgenommen festgehalten abgeschickt übermittelt terminiert hinterlegt",
    ),
    _language(
        "le la les de des du et est un une que qui dans pour pas sur au avec ce il elle vous je en se à ou son",
        "enregistr sauvegard envoy planifi programm créé supprim ajout mis\\b mise\\b effac retir noté écrit réserv annul"
        " exécut fait\\b faite\\b terminé modifi déplac command payé transmis répondu publi rappel mémoris inscrit",
    ),
    _language(
        "el la los las de del y es un una que en para no con por se su al lo como más está este yo le",
        "guard(?:ad|é|ó) enviad envié programad programé cread creé eliminad borrad borré añad agregad actualiz quitad"
        " anotad anoté escrit reservad cancelad ejecutad hecho\\b hecha\\b list[oa]\\b modificad movid pedid pagad"
        " respondid publicad agend registrad recordatorio mandad mandé complet",
    ),
    _language(
        "o a os as de do da e é um uma que em para não com por se no na mais como está este eu ao lhe",
        "guardad guardei salv enviad enviei agendad agendei criad criei exclu apag eliminad adicion atualiz removid"
        " anotad anotei escrit reservad cancelad executad feit[oa]\\b pront[oa]\\b modificad movid pedid pag[oa]\\b"
        " respondid publicad registrad lembrete mandei mandad complet gravad",
    ),
    _language(
        "il lo la i gli le di del della e è un una che in per non con si su al da come più questo sono",
        "salvat inviat spedit mandat programmat pianificat creat eliminat cancellat aggiunt aggiornat rimoss annotat"
        " scritt prenotat annullat eseguit fatt[oa]\\b modificat spostat ordinat pagat rispost pubblicat registrat"
        " promemoria memorizzat completat impostat fissat",
    ),
    _language(
        "de het een en is van in te dat op voor niet met zijn je ik aan er ook als om naar die bij",
        "opgeslagen bewaard verzonden verstuurd gestuurd gepland ingepland aangemaakt gemaakt verwijderd gewist"
        " toegevoegd bijgewerkt genoteerd geschreven geboekt geannuleerd uitgevoerd gedaan klaar\\b gewijzigd verplaatst"
        " besteld betaald doorgestuurd beantwoord ingesteld onthouden vastgelegd",
    ),
    _language(
        "och i att det som en på är av för med den till inte om ett har de jag du kan og er ikke det af til jeg",
        "sparad sparat skickat sänt schemalagt skapat raderat tagit lagt uppdaterat antecknat skrivit bokat avbokat utfört"
        " gjort klart?\\b färdig ändrat flyttat beställt betalat svarat påminnelse gemt sendt planlagt oprettet slettet"
        " tilføjet lagret opprettet lagt opdateret oppdatert fjernet noteret notert skrevet booket bestilt gjort ferdig",
    ),
    _language(
        "i w na z się nie to jest że do o jak co dla po od są ale czy go tym ten za",
        "zapisa wysła zaplanowa utworzy usunę usunią doda zaktualizowa zanotowa napisa zarezerwowa anulowa wykona zrobi"
        " gotowe ukończ zmieni przenios przeniesi zamówi zapłac przekaza odpowiedzia przypomnienie ustawi",
    ),
    _language(
        "a v na je se že to s z do o jak pro ale by jsem jsou k i ve od si",
        "ulož uloži odesla odeslá posla poslá naplánova vytvoři vytvoř smaza odstrani přida aktualizova poznamena napsa"
        " rezervova zruši provede proved hotovo uděla dokonč změni přesunu objedna zaplati připomínk zapsa nastavi",
    ),
    _language(
        "и в не на с что это как по но из у за от к а для же вы я то о был есть",
        "сохран отправ заплан создан создал удал добав обнов запомн запис забронир отмен выполн сдела готово заверш"
        " измен перемест перенес заказ оплат переслал ответил опублик напоминан назнач поставил внес послал",
    ),
    _language(
        "і в не на з що це як по але із у за від до а для ж ви я та о був є й",
        "збере надісл відправ заплан створ видал додан додав онов запам запис заброн скас викон зробл готово заверш"
        " змін перемі замов оплат переслал відпов опублік нагадуван признач",
    ),
    _language(
        "ve bir bu için de da ile çok ne mi ama gibi daha olan olarak en ben var değil o",
        "kaydet kaydedil gönder yolla planla oluştur sil(?:di|indi) ekle(?:di|ndi) güncelle kaldır not\\sal yaz(?:dı|ıldı)"
        " ayır(?:dı|t) iptal çalıştır yap(?:tı|ıldı) tamam hazır değiştir taşı(?:dı|ndı) sipariş öde(?:di|ndi) hatırlat",
    ),
    _language(
        "και το να του η της με που την από για είναι στο ο οι τα δεν σε θα ένα τον αυτό",
        "αποθήκευσα αποθηκεύτηκ έστειλα στάλθηκ εστάλη προγραμμάτισ προγραμματίστηκ δημιούργησ δημιουργήθηκ διέγραψ διαγράφηκ"
        " πρόσθεσ προστέθηκ ενημέρωσ ενημερώθηκ σημείωσ έγραψ ακύρωσ έγινε ολοκληρ έτοιμ άλλαξ κράτησ υπενθύμισ καταχωρ",
    ),
    _language(
        "dan yang di ini itu untuk dengan tidak dari ke saya anda adalah pada ada akan bisa atau",
        "disimpan menyimpan dikirim terkirim mengirim dijadwalkan menjadwalkan dibuat membuat dihapus menghapus ditambah"
        " menambah diperbarui dicatat mencatat ditulis dipesan dibatalkan dijalankan selesai sudah\\ssaya tersimpan diatur",
    ),
    _language(
        "ja on ei se että oli hän mutta myös kun niin tai joka ovat voi sen tämä",
        "tallen lähet ajoit luotu luotiin loin\\b poist lisät lisäs päivit muist kirjoit varat varasi perut suorit tehty"
        " valmis muut siir tilat maks vast",
    ),
    _language(
        "a az és hogy nem is egy meg ez van de ha volt csak már még vagy",
        "elment elküld ütemez létrehoz töröl hozzáad frissít feljegy megjegyez megír lefoglal lemond végrehajt kész\\b"
        " elvégez módosít áthelyez megrendel kifizet továbbít megválaszol rögzít beállít emlékeztető",
    ),
    _language(
        "și de la în a cu nu este că pe un o din care mai sunt pentru se al ce",
        "salvat trimis programat planificat creat șters adăugat actualizat eliminat notat scris rezervat anulat executat"
        " făcut gata\\b terminat modificat mutat comandat plătit răspuns publicat înregistrat memorat setat",
    ),
    _language(
        "và là của có không được cho các một trong này với đã những tôi bạn để",
        "đã\\s(?:lưu|gửi|lên|tạo|xóa|xoá|thêm|cập|ghi|đặt|hủy|huỷ|chạy|làm|hoàn|nhớ|sửa|chuyển|viết) xong",
    ),
)  # fmt: skip

_DEEDS_ANYWHERE = re.compile(
    # Scripts that write no spaces, or join words: the deed is looked for anywhere.
    "已|好了|完成|保存|发送|發送|发了|發了|安排|创建|創建|删除|刪除|添加|记下|記下|记住|記住|预订|預訂|取消|"
    "ました|済み|完了|送信|予約|登録|削除|追加|"
    "했습니다|했어요|하였습니다|됐습니다|되었습니다|됐어요|완료|저장|보냈|전송|예약|삭제|추가|"
    "दिया|दी गई|लिया|गया|कर दी|किया|भेज|सहेज|हो गई|"
    "حفظ|أرسل|ارسل|إرسال|جدول|أنشأ|إنشاء|حذف|أضف|إضافة|تم\\b|تمت|سجل|حجز|ألغ|"
    "שמרתי|נשמר|שלחתי|נשלח|תזמנתי|נקבע|יצרתי|נוצר|מחקתי|נמחק|הוספתי|נוסף|עדכנתי|רשמתי|הזמנתי|ביטלתי|בוצע"
)
_OWN_SCRIPT = re.compile("[\u0590-\u06ff\u0900-\u097f\u3040-\u30ff\u4e00-\u9fff\uac00-\ud7af]")
_WORD = re.compile(r"[^\W\d_]+")
_QUOTED = re.compile(r"```.*?```|^>.*$", re.DOTALL | re.MULTILINE)
MIN_SHARE = 0.2
"""Of the words of a text in a language, at least this many are among its common ones."""


def unfounded(reply: str) -> bool:
    """Tell whether `reply`, of a turn in which nothing was done, may make its reader think that something was."""
    text = _QUOTED.sub(" ", reply)
    words = [word.lower() for word in _WORD.findall(text)]
    if not words:
        return bool(reply.strip()) and not reply.strip().isascii()
    own = sum(len(word) for word in words if _OWN_SCRIPT.search(word))
    if own * 2 > sum(map(len, words)):
        return _DEEDS_ANYWHERE.search(text) is not None
    if _DEEDS_ANYWHERE.search(text):
        return True
    best = max(_LANGUAGES, key=lambda it: sum(word in it.common for word in words))
    if sum(word in best.common for word in words) < max(2, MIN_SHARE * len(words)):
        return True
    return any(it.deeds.search(text) for it in _LANGUAGES if it is best)
